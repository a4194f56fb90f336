/* haloscope
title: A seam every 32 points
task: >-
  The result has a seam wherever one block ends and the next begins. Find the access that reaches too far.
hint: >-
  How many cells does the tile have, and which of them does the last thread of a block read?
sizes:
  N: {default: 100, min: 1, max: 1048576, meaning: points on the line}
tunables:
  TILE_DIM: {default: 32, min: 2, max: 256, meaning: points per block}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
  c: {shape: [3]}
launch:
  grid: [ceil(N / TILE_DIM), 1, 1]
  block: [TILE_DIM + 2, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[-1], [0], [1]]
  border: ghost cells are zero
*/
#ifndef TILE_DIM
#define TILE_DIM 32
#endif

__constant__ float c[3];

__global__ void smooth(const float* in, float* out, int N) {
  __shared__ float in_s[TILE_DIM + 2];

  int tx = threadIdx.x;
  int i = blockIdx.x * TILE_DIM + tx - 1;

  in_s[tx] = i >= 0 && i < N ? in[i] : 0.0f;
  __syncthreads();

  if (tx >= 1 && tx < TILE_DIM + 1 && i < N) {
    out[i] = c[0] * in_s[tx - 1] + c[1] * in_s[tx] + c[2] * in_s[tx + 1];
  }
}
