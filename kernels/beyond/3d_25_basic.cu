/* haloscope
title: 3D 25-point sweep, basic
book: beyond the book; section 8.2 for a star of order 4
idea: Four grid points on each side along each axis, as used for waves in the earth, require 25 global loads per grid point.
climb: 25-point star
order: 40
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
  c: {shape: [25]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -2],
         [0, 0, 2], [0, -2, 0], [0, 2, 0], [-2, 0, 0], [2, 0, 0], [0, 0, -3], [0, 0, 3], [0, -3, 0],
         [0, 3, 0], [-3, 0, 0], [3, 0, 0], [0, 0, -4], [0, 0, 4], [0, -4, 0], [0, 4, 0], [-4, 0, 0],
         [4, 0, 0]]
  border: keeps its value
op_per_byte: 2 / sizeof(REAL)
*/
#ifndef REAL
#define REAL float
#endif

#define ORDER 4

__constant__ REAL c[25];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= ORDER && i < N - ORDER && j >= ORDER && j < N - ORDER && k >= ORDER && k < N - ORDER) {
    REAL sum = 0;
    sum += c[0] * in[(i * N + j) * N + k];
    for (int d = 1; d <= ORDER; ++d) {
      sum += c[6 * d - 5] * in[(i * N + j) * N + k - d];
      sum += c[6 * d - 4] * in[(i * N + j) * N + k + d];
      sum += c[6 * d - 3] * in[(i * N + j - d) * N + k];
      sum += c[6 * d - 2] * in[(i * N + j + d) * N + k];
      sum += c[6 * d - 1] * in[((i - d) * N + j) * N + k];
      sum += c[6 * d] * in[((i + d) * N + j) * N + k];
    }
    out[(i * N + j) * N + k] = sum;
  }
}
