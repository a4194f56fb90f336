/* haloscope
title: 2D 9-point sweep, basic
book: PMPP 4e, section 8.2, for a shape of figure 8.3
idea: Two grid points on each side make the derivative more accurate but require four more loads per point.
climb: 2D 9-point star
order: 31
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 16, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 16, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [9]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0], [0, -2], [0, 2], [-2, 0], [2, 0]]
  border: keeps its value
op_per_byte: 2 / sizeof(REAL)
*/
#ifndef REAL
#define REAL float
#endif

#define ORDER 2

__constant__ REAL c[9];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= ORDER && i < N - ORDER && j >= ORDER && j < N - ORDER) {
    REAL sum = 0;
    sum += c[0] * in[i * N + j];
    for (int d = 1; d <= ORDER; ++d) {
      sum += c[4 * d - 3] * in[i * N + j - d];
      sum += c[4 * d - 2] * in[i * N + j + d];
      sum += c[4 * d - 1] * in[(i - d) * N + j];
      sum += c[4 * d] * in[(i + d) * N + j];
    }
    out[i * N + j] = sum;
  }
}
