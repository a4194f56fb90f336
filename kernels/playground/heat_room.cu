/* haloscope
title: Heat in a room with sources
book: playground
idea: Walls let little heat through, radiators add some in every step, and what is beyond the window stays cold.
order: 3
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  RATE: {default: 24, min: 1, max: 25, meaning: share of a neighbour's difference that flows in a step in per cent}
  POWER: {default: 10, min: 0, max: 100, meaning: what a radiator adds in a step in ten thousandths}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  u: {shape: [N, N], values: "0 * x"}
  next: {shape: [N, N]}
  open:
    shape: [N, N]
    values: "min(x, y, N - 1 - x, N - 1 - y) < 0.04 * N ? ((x < 0.5 * N && y > 0.3 * N && y < 0.6 * N) ? 1 : 0.02) : (abs(x - 0.55 * N) < 0.012 * N && (y < 0.38 * N || y > 0.55 * N)) ? 0.02 : (x > 0.55 * N && abs(y - 0.62 * N) < 0.012 * N && (x < 0.7 * N || x > 0.8 * N)) ? 0.02 : 1"
  source:
    shape: [N, N]
    values: "(abs(x - 0.1 * N) < 0.015 * N && y > 0.66 * N && y < 0.86 * N) || (abs(x - 0.9 * N) < 0.015 * N && y > 0.15 * N && y < 0.45 * N) || (abs(y - 0.92 * N) < 0.015 * N && x > 0.65 * N && x < 0.8 * N) ? 1 : 0"
arguments:
  rate: RATE / 100
  power: POWER / 10000
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
definition:
  border: keeps its value
  next: >-
    u[0, 0] + power * source[0, 0] + rate * open[0, 0] * (
    open[0, -1] * (u[0, -1] - u[0, 0]) + open[0, 1] * (u[0, 1] - u[0, 0])
    + open[-1, 0] * (u[-1, 0] - u[0, 0]) + open[1, 0] * (u[1, 0] - u[0, 0]))
problem:
  shows: u
  legend: temperature
  size: 256
  advance: {u: next}
  brush: {source: [1, 0], open: [0.02, 1]}
op_per_byte: 16 / (11 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__global__ void heat(const REAL* u, const REAL* open, const REAL* source, REAL* next, int N, REAL rate, REAL power) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) {
    int here = i * N + j;
    REAL now = u[here];
    REAL flow = open[here - 1] * (u[here - 1] - now) + open[here + 1] * (u[here + 1] - now)
              + open[here - N] * (u[here - N] - now) + open[here + N] * (u[here + N] - now);
    next[here] = now + power * source[here] + rate * open[here] * flow;
  }
}
