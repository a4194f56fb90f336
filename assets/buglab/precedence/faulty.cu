/* haloscope
title: Gaps between the blocks
task: >-
  Every value that the kernel writes is correct, but many points stay empty. Find the mistake; the kernel function itself needs no change.
hint: >-
  Write down the line that computes i after macro expansion.
sizes:
  N: {default: 14, min: 1, max: 256, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 10, meaning: edge of the input tile}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, IN_TILE_DIM]
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
#define OUT_TILE_DIM IN_TILE_DIM - 2

__constant__ float c[7];

__global__ void stencil(const float* in, float* out, int N) {
  __shared__ float in_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];

  int tz = threadIdx.z;
  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int i = blockIdx.z * OUT_TILE_DIM + tz - 1;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 1;

  if (i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N) {
    in_s[tz][ty][tx] = in[(i * N + j) * N + k];
  }
  __syncthreads();

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    if (tz >= 1 && tz < IN_TILE_DIM - 1 && ty >= 1 && ty < IN_TILE_DIM - 1 &&
        tx >= 1 && tx < IN_TILE_DIM - 1) {
      out[(i * N + j) * N + k] = c[0] * in_s[tz][ty][tx]
                               + c[1] * in_s[tz][ty][tx - 1]
                               + c[2] * in_s[tz][ty][tx + 1]
                               + c[3] * in_s[tz][ty - 1][tx]
                               + c[4] * in_s[tz][ty + 1][tx]
                               + c[5] * in_s[tz - 1][ty][tx]
                               + c[6] * in_s[tz + 1][ty][tx];
    }
  }
}
