/* haloscope
title: 3D 27-point sweep, coarsened
book: PMPP 4e, section 8.4, for a box of points; beyond the book
idea: A thread reads its neighbours in all three planes, so all three planes must be in shared memory.
extends: stencil/3d_27_basic
order: 72
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [3, 3, 3]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  window: [1, 1, 1]
  border: keeps its value
op_per_byte: 54 / sizeof(REAL) * (1 - 2 / IN_TILE_DIM)^3
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ REAL c[3][3][3];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[3][IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 1;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1;
  bool computes = inOutTile && j >= 1 && j < N - 1 && k >= 1 && k < N - 1;

  if (inGrid && iStart >= 1 && iStart - 1 < N) {
    in_s[0][ty][tx] = in[((iStart - 1) * N + j) * N + k];
  }
  if (inGrid && iStart < N) {
    in_s[1][ty][tx] = in[(iStart * N + j) * N + k];
  }

  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    if (inGrid && i + 1 < N) {
      in_s[2][ty][tx] = in[((i + 1) * N + j) * N + k];
    }
    __syncthreads();
    if (computes && i >= 1 && i < N - 1) {
      REAL sum = 0;
      for (int di = -1; di <= 1; ++di) {
        for (int dj = -1; dj <= 1; ++dj) {
          for (int dk = -1; dk <= 1; ++dk) {
            sum += c[1 + di][1 + dj][1 + dk] * in_s[1 + di][ty + dj][tx + dk];
          }
        }
      }
      out[(i * N + j) * N + k] = sum;
    }
    __syncthreads();
    in_s[0][ty][tx] = in_s[1][ty][tx];
    in_s[1][ty][tx] = in_s[2][ty][tx];
  }
}
