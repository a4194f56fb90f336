/* haloscope
title: 3D 19-point sweep, register tiling
book: PMPP 4e, section 8.5, figure 8.12 for order 3
idea: Six registers replace six of seven planes; the higher the order, the more shared memory register tiling saves.
extends: stencil/3d_19_coarsened
order: 63
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 12, min: 7, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [19]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 6)), ceil(N / (IN_TILE_DIM - 6)), ceil(N / (IN_TILE_DIM - 6))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -2],
         [0, 0, 2], [0, -2, 0], [0, 2, 0], [-2, 0, 0], [2, 0, 0], [0, 0, -3], [0, 0, 3], [0, -3, 0],
         [0, 3, 0], [-3, 0, 0], [3, 0, 0]]
  border: keeps its value
op_per_byte: 38 / sizeof(REAL) * (1 - 6 / IN_TILE_DIM)^3
*/
#ifndef REAL
#define REAL float
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 12
#endif
#define ORDER 3
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * ORDER)

__constant__ REAL c[19];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL inCurr_s[IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - ORDER;
  int k = blockIdx.x * OUT_TILE_DIM + tx - ORDER;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= ORDER && ty < IN_TILE_DIM - ORDER && tx >= ORDER && tx < IN_TILE_DIM - ORDER;
  bool computes = inOutTile && j >= ORDER && j < N - ORDER && k >= ORDER && k < N - ORDER;

  REAL inPrev3;
  REAL inPrev2;
  REAL inPrev1;
  REAL inCurr;
  REAL inNext1;
  REAL inNext2;
  REAL inNext3;

  if (inGrid && iStart >= 3 && iStart - 3 < N) {
    inPrev3 = in[((iStart - 3) * N + j) * N + k];
  }
  if (inGrid && iStart >= 2 && iStart - 2 < N) {
    inPrev2 = in[((iStart - 2) * N + j) * N + k];
  }
  if (inGrid && iStart >= 1 && iStart - 1 < N) {
    inPrev1 = in[((iStart - 1) * N + j) * N + k];
  }
  if (inGrid && iStart < N) {
    inCurr = in[(iStart * N + j) * N + k];
    inCurr_s[ty][tx] = inCurr;
  }
  if (inGrid && iStart + 1 < N) {
    inNext1 = in[((iStart + 1) * N + j) * N + k];
  }
  if (inGrid && iStart + 2 < N) {
    inNext2 = in[((iStart + 2) * N + j) * N + k];
  }

  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    if (inGrid && i + ORDER < N) {
      inNext3 = in[((i + ORDER) * N + j) * N + k];
    }
    __syncthreads();
    if (computes && i >= ORDER && i < N - ORDER) {
      REAL sum = 0;
      sum += c[0] * inCurr;
      for (int d = 1; d <= ORDER; ++d) {
        sum += c[6 * d - 5] * inCurr_s[ty][tx - d];
        sum += c[6 * d - 4] * inCurr_s[ty][tx + d];
        sum += c[6 * d - 3] * inCurr_s[ty - d][tx];
        sum += c[6 * d - 2] * inCurr_s[ty + d][tx];
      }
      sum += c[5] * inPrev1;
      sum += c[6] * inNext1;
      sum += c[11] * inPrev2;
      sum += c[12] * inNext2;
      sum += c[17] * inPrev3;
      sum += c[18] * inNext3;
      out[(i * N + j) * N + k] = sum;
    }
    __syncthreads();
    inPrev3 = inPrev2;
    inPrev2 = inPrev1;
    inPrev1 = inCurr;
    inCurr = inNext1;
    inNext1 = inNext2;
    inNext2 = inNext3;
    inCurr_s[ty][tx] = inCurr;
  }
}
