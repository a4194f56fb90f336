/* haloscope
title: 3D 13-point sweep, coarsened
book: PMPP 4e, section 8.4, figure 8.10 for order 2
idea: Order 2 needs five planes of the input tile at a time; the block keeps them all in shared memory.
extends: stencil/3d_13_basic
order: 52
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 5, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [13]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 4)), ceil(N / (IN_TILE_DIM - 4)), ceil(N / (IN_TILE_DIM - 4))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -2],
         [0, 0, 2], [0, -2, 0], [0, 2, 0], [-2, 0, 0], [2, 0, 0]]
  border: keeps its value
op_per_byte: 26 / sizeof(REAL) * (1 - 4 / IN_TILE_DIM)^3
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define ORDER 2
#define PLANES (2 * ORDER + 1)
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * ORDER)

__constant__ REAL c[13];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[PLANES][IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - ORDER;
  int k = blockIdx.x * OUT_TILE_DIM + tx - ORDER;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= ORDER && ty < IN_TILE_DIM - ORDER && tx >= ORDER && tx < IN_TILE_DIM - ORDER;
  bool computes = inOutTile && j >= ORDER && j < N - ORDER && k >= ORDER && k < N - ORDER;

  for (int plane = 0; plane < PLANES - 1; ++plane) {
    int i = iStart - ORDER + plane;
    if (inGrid && i >= 0 && i < N) {
      in_s[plane][ty][tx] = in[(i * N + j) * N + k];
    }
  }

  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    if (inGrid && i + ORDER < N) {
      in_s[PLANES - 1][ty][tx] = in[((i + ORDER) * N + j) * N + k];
    }
    __syncthreads();
    if (computes && i >= ORDER && i < N - ORDER) {
      REAL sum = 0;
      sum += c[0] * in_s[ORDER][ty][tx];
      for (int d = 1; d <= ORDER; ++d) {
        sum += c[6 * d - 5] * in_s[ORDER][ty][tx - d];
        sum += c[6 * d - 4] * in_s[ORDER][ty][tx + d];
        sum += c[6 * d - 3] * in_s[ORDER][ty - d][tx];
        sum += c[6 * d - 2] * in_s[ORDER][ty + d][tx];
        sum += c[6 * d - 1] * in_s[ORDER - d][ty][tx];
        sum += c[6 * d] * in_s[ORDER + d][ty][tx];
      }
      out[(i * N + j) * N + k] = sum;
    }
    __syncthreads();
    for (int plane = 0; plane < PLANES - 1; ++plane) {
      in_s[plane][ty][tx] = in_s[plane + 1][ty][tx];
    }
  }
}
