/* haloscope
title: 2D 5-point sweep, basic
book: PMPP 4e, section 8.2, for a shape of figure 8.3
idea: One thread computes one grid point from the point itself and its four neighbours in global memory.
climb: 2D 5-point star
order: 21
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 16, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 16, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
op_per_byte: 2 / sizeof(REAL)
*/
#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[5];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) {
    REAL sum = 0;
    sum += c[0] * in[i * N + j];
    sum += c[1] * in[i * N + j - 1];
    sum += c[2] * in[i * N + j + 1];
    sum += c[3] * in[(i - 1) * N + j];
    sum += c[4] * in[(i + 1) * N + j];
    out[i * N + j] = sum;
  }
}
