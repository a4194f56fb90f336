/* haloscope
title: Basic sweep
book: PMPP 4e, section 8.2, figure 8.6
idea: One thread computes one grid point; all seven inputs are read from global memory.
climb: 7-point star
order: 1
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 8, min: 1, max: 64, meaning: threads per block along z}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 13 / (7 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[7];

__global__ void stencil(const REAL* in, REAL* out, int N) {
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
