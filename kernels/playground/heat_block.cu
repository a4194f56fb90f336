/* haloscope
title: Heat in a block
book: playground
idea: The same step in three dimensions, with six neighbours; every kernel of the 7-point star can be its engine.
order: 2
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  RATE: {default: 15, min: 1, max: 16, meaning: share of a neighbour's difference that flows in a step in per cent}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 2, min: 1, max: 64, meaning: threads per block along z}
precision: {macro: REAL, types: [float, double]}
arrays:
  in:
    shape: [N, N, N]
    values: "(x - 0.35 * N)^2 + (y - 0.4 * N)^2 + (z - 0.35 * N)^2 < (0.18 * N)^2 ? 1 : (x - 0.68 * N)^2 + (y - 0.6 * N)^2 < (0.1 * N)^2 && z > 0.15 * N && z < 0.85 * N ? 0.8 : 0"
  out: {shape: [N, N, N]}
  c: {shape: [7], values: "x == 0 ? 1 - 6 * RATE / 100 : RATE / 100"}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
problem:
  shows: in
  legend: temperature
  size: 64
  advance: {in: out}
  brush: {in: [1, 0]}
op_per_byte: 13 / (7 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[7];

__global__ void heat(const REAL* in, REAL* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    out[(i * N + j) * N + k] = c[0] * in[(i * N + j) * N + k]
                             + c[1] * in[(i * N + j) * N + k - 1]
                             + c[2] * in[(i * N + j) * N + k + 1]
                             + c[3] * in[(i * N + j - 1) * N + k]
                             + c[4] * in[(i * N + j + 1) * N + k]
                             + c[5] * in[((i - 1) * N + j) * N + k]
                             + c[6] * in[((i + 1) * N + j) * N + k];
  }
}
