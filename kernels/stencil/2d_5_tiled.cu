/* haloscope
title: 2D 5-point sweep, tile
book: PMPP 4e, section 8.3, for a shape of figure 8.3
idea: Every element of the tile serves up to five grid points, so in float OP/B approaches 2.5 as the tile grows.
extends: stencil/2d_5_basic
order: 22
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 16, min: 3, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), 1]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
op_per_byte: 10 / sizeof(REAL) * (1 - 2 / IN_TILE_DIM)^2
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 16
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ REAL c[5];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int i = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int j = blockIdx.x * OUT_TILE_DIM + tx - 1;

  if (i >= 0 && i < N && j >= 0 && j < N) {
    in_s[ty][tx] = in[i * N + j];
  }
  __syncthreads();

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) {
    if (ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1) {
      REAL sum = 0;
      sum += c[0] * in_s[ty][tx];
      sum += c[1] * in_s[ty][tx - 1];
      sum += c[2] * in_s[ty][tx + 1];
      sum += c[3] * in_s[ty - 1][tx];
      sum += c[4] * in_s[ty + 1][tx];
      out[i * N + j] = sum;
    }
  }
}
