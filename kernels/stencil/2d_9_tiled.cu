/* haloscope
title: 2D 9-point sweep, tile
book: PMPP 4e, section 8.3, for a shape of figure 8.3
idea: With order 2 the halo is two cells wide; in float, OP/B approaches 4.5 for large tiles and is 3.45 at the maximum of 32×32.
extends: stencil/2d_9_basic
order: 32
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 16, min: 5, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [9]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 4)), ceil(N / (IN_TILE_DIM - 4)), 1]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0], [0, -2], [0, 2], [-2, 0], [2, 0]]
  border: keeps its value
op_per_byte: 18 / sizeof(REAL) * (1 - 4 / IN_TILE_DIM)^2
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 16
#endif
#define ORDER 2
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * ORDER)

__constant__ REAL c[9];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int i = blockIdx.y * OUT_TILE_DIM + ty - ORDER;
  int j = blockIdx.x * OUT_TILE_DIM + tx - ORDER;

  if (i >= 0 && i < N && j >= 0 && j < N) {
    in_s[ty][tx] = in[i * N + j];
  }
  __syncthreads();

  if (i >= ORDER && i < N - ORDER && j >= ORDER && j < N - ORDER) {
    if (ty >= ORDER && ty < IN_TILE_DIM - ORDER && tx >= ORDER && tx < IN_TILE_DIM - ORDER) {
      REAL sum = 0;
      sum += c[0] * in_s[ty][tx];
      for (int d = 1; d <= ORDER; ++d) {
        sum += c[4 * d - 3] * in_s[ty][tx - d];
        sum += c[4 * d - 2] * in_s[ty][tx + d];
        sum += c[4 * d - 1] * in_s[ty - d][tx];
        sum += c[4 * d] * in_s[ty + d][tx];
      }
      out[i * N + j] = sum;
    }
  }
}
