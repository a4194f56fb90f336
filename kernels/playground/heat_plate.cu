/* haloscope
title: Heat on a plate
book: playground
idea: Each step, a point takes a share of the difference to each of its four neighbours. The edges keep their temperature.
order: 1
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  RATE: {default: 20, min: 1, max: 25, meaning: share of a neighbour's difference that flows in a step in per cent}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  in:
    shape: [N, N]
    values: "x == 0 ? 1 : (x - 0.35 * N)^2 + (y - 0.3 * N)^2 < (0.1 * N)^2 ? 1 : (x - 0.62 * N)^2 + (y - 0.65 * N)^2 < (0.16 * N)^2 && (x - 0.62 * N)^2 + (y - 0.65 * N)^2 > (0.09 * N)^2 ? 0.9 : 0"
  out: {shape: [N, N]}
  c: {shape: [5], values: "x == 0 ? 1 - 4 * RATE / 100 : RATE / 100"}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
problem:
  shows: in
  legend: temperature
  range: [0, 1]
  size: 512
  advance: {in: out}
  brush: {in: [1, 0]}
op_per_byte: 9 / (5 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[5];

__global__ void heat(const REAL* in, REAL* out, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) {
    REAL sum = c[0] * in[i * N + j];
    sum += c[1] * in[i * N + j - 1];
    sum += c[2] * in[i * N + j + 1];
    sum += c[3] * in[(i - 1) * N + j];
    sum += c[4] * in[(i + 1) * N + j];
    out[i * N + j] = sum;
  }
}
