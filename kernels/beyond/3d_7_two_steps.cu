/* haloscope
title: 3D 7-point sweep, two steps at once
book: beyond the book; extends section 8.3
idea: The halo is two cells wide. The block computes the first time step of its tile and of the ring around it in shared memory, and from that the second, so that two steps take one pass through global memory, in which up to eight blocks load a cell near the edges of a tile.
extends: stencil/tiled
order: 40
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 5, max: 10, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 4)), ceil(N / (IN_TILE_DIM - 4)), ceil(N / (IN_TILE_DIM - 4))]
  block: [IN_TILE_DIM, IN_TILE_DIM, IN_TILE_DIM]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  steps: 2
op_per_byte: 13 / sizeof(REAL) * ((1 - 2 / IN_TILE_DIM)^3 + (1 - 4 / IN_TILE_DIM)^3)
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 4)

__constant__ REAL c[7];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];
  __shared__ REAL next_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];  // after the first step

  int tz = threadIdx.z;
  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int i = blockIdx.z * OUT_TILE_DIM + tz - 2;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 2;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 2;
  bool inside = i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N;
  bool border = i == 0 || i == N - 1 || j == 0 || j == N - 1 || k == 0 || k == N - 1;  // keeps its value

  if (inside) { in_s[tz][ty][tx] = in[(i * N + j) * N + k]; }
  __syncthreads();
  if (inside && tz >= 1 && tz < IN_TILE_DIM - 1 && ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 &&
      tx < IN_TILE_DIM - 1) {
    if (border) {
      next_s[tz][ty][tx] = in_s[tz][ty][tx];
    } else {
      next_s[tz][ty][tx] = c[0] * in_s[tz][ty][tx] + c[1] * in_s[tz][ty][tx - 1] + c[2] * in_s[tz][ty][tx + 1] +
                           c[3] * in_s[tz][ty - 1][tx] + c[4] * in_s[tz][ty + 1][tx] + c[5] * in_s[tz - 1][ty][tx] +
                           c[6] * in_s[tz + 1][ty][tx];
    }
  }
  __syncthreads();
  if (inside && !border && tz >= 2 && tz < IN_TILE_DIM - 2 && ty >= 2 && ty < IN_TILE_DIM - 2 && tx >= 2 &&
      tx < IN_TILE_DIM - 2) {
    out[(i * N + j) * N + k] = c[0] * next_s[tz][ty][tx] + c[1] * next_s[tz][ty][tx - 1] +
                               c[2] * next_s[tz][ty][tx + 1] + c[3] * next_s[tz][ty - 1][tx] +
                               c[4] * next_s[tz][ty + 1][tx] + c[5] * next_s[tz - 1][ty][tx] +
                               c[6] * next_s[tz + 1][ty][tx];
  }
}
