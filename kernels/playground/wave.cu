/* haloscope
title: A wave on water
book: playground
idea: A step needs two fields, the water now and one step before. Edges reflect the wave; a layer of damping before them absorbs it.
order: 10
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  SPEED: {default: 50, min: 1, max: 70, meaning: points that the wave travels in a hundred steps}
  ABSORB: {default: 0, min: 0, max: 64, meaning: width of the layer that absorbs the wave; 0 reflects it}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  prev: {shape: [N, N], values: "exp(-((x - 0.35 * N)^2 + (y - 0.4 * N)^2) / (0.03 * N)^2)"}
  curr: {shape: [N, N], values: "exp(-((x - 0.35 * N)^2 + (y - 0.4 * N)^2) / (0.03 * N)^2)"}
  next: {shape: [N, N]}
  damping:
    shape: [N, N]
    values: "ABSORB == 0 ? 0 : 0.25 * max(0, 1 - min(x, y, N - 1 - x, N - 1 - y) / ABSORB)^2"
arguments:
  speed: (SPEED / 100)^2
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
definition:
  border: keeps its value
  next: >-
    (2 - damping[0, 0]) * curr[0, 0] - (1 - damping[0, 0]) * prev[0, 0]
    + speed * (curr[0, -1] + curr[0, 1] + curr[-1, 0] + curr[1, 0] - 4 * curr[0, 0])
problem:
  shows: curr
  legend: height of the water
  range: [-0.25, 0.25]
  size: 512
  pace: 240
  advance: {prev: curr, curr: next}
  brush: {curr: [0.5, -0.5]}
op_per_byte: 12 / (7 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__global__ void wave(const REAL* prev, const REAL* curr, const REAL* damping, REAL* next, int N, REAL speed) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) {
    int here = i * N + j;
    REAL now = curr[here];
    REAL lost = damping[here];
    REAL bend = curr[here - 1] + curr[here + 1] + curr[here - N] + curr[here + N] - 4 * now;
    next[here] = (2 - lost) * now - (1 - lost) * prev[here] + speed * bend;
  }
}
