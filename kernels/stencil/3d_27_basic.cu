/* haloscope
title: 3D 27-point sweep, basic
book: PMPP 4e, section 8.2, for a box of points; an exercise
idea: The whole 3×3×3 box around a point, corners included, is read from global memory.
climb: 27-point box
order: 71
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
  c: {shape: [3, 3, 3]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  window: [1, 1, 1]
  border: keeps its value
op_per_byte: 2 / sizeof(REAL)
*/
#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[3][3][3];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    REAL sum = 0;
    for (int di = -1; di <= 1; ++di) {
      for (int dj = -1; dj <= 1; ++dj) {
        for (int dk = -1; dk <= 1; ++dk) {
          sum += c[1 + di][1 + dj][1 + dk] * in[((i + di) * N + j + dj) * N + k + dk];
        }
      }
    }
    out[(i * N + j) * N + k] = sum;
  }
}
