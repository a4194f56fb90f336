/* haloscope
title: Yesterday's plane
task: >-
  The first plane that a block computes is correct, all following ones are wrong. Find the mistake.
hint: >-
  Write down what the three planes contain after one iteration of the loop.
sizes:
  N: {default: 14, min: 1, max: 256, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 32, meaning: edge of the input tile}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
*/
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ float c[7];

__global__ void stencil(const float* in, float* out, int N) {
  __shared__ float inPrev_s[IN_TILE_DIM][IN_TILE_DIM];
  __shared__ float inCurr_s[IN_TILE_DIM][IN_TILE_DIM];
  __shared__ float inNext_s[IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 1;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1;
  bool computes = inOutTile && j >= 1 && j < N - 1 && k >= 1 && k < N - 1;

  if (inGrid && iStart >= 1 && iStart - 1 < N) {
    inPrev_s[ty][tx] = in[((iStart - 1) * N + j) * N + k];
  }
  if (inGrid && iStart < N) {
    inCurr_s[ty][tx] = in[(iStart * N + j) * N + k];
  }

  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    if (inGrid && i + 1 < N) {
      inNext_s[ty][tx] = in[((i + 1) * N + j) * N + k];
    }
    __syncthreads();
    if (computes && i >= 1 && i < N - 1) {
      out[(i * N + j) * N + k] = c[0] * inCurr_s[ty][tx]
                               + c[1] * inCurr_s[ty][tx - 1]
                               + c[2] * inCurr_s[ty][tx + 1]
                               + c[3] * inCurr_s[ty - 1][tx]
                               + c[4] * inCurr_s[ty + 1][tx]
                               + c[5] * inPrev_s[ty][tx]
                               + c[6] * inNext_s[ty][tx];
    }
    __syncthreads();
    inCurr_s[ty][tx] = inNext_s[ty][tx];
    inPrev_s[ty][tx] = inCurr_s[ty][tx];
  }
}
