/* haloscope
title: 1D tile with halo and ghost cells
book: PMPP 4e, section 7.4, exercise 4
idea: The block loads its output tile and the halo at both ends; ghost cells beyond either end of the array count as zero.
extends: convolution/1d_constant
order: 13
sizes:
  width: {default: 256, min: 1, max: 67108864, meaning: array elements}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 8, meaning: filter elements on each side of the centre}
  OUT_TILE_DIM: {default: 64, min: 1, max: 1024, meaning: elements of the output tile}
arrays:
  in: {shape: [width]}
  out: {shape: [width]}
  filter: {shape: [2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / OUT_TILE_DIM), 1, 1]
  block: [OUT_TILE_DIM, 1, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: OUT_TILE_DIM * (2 * FILTER_RADIUS + 1) * 2 / ((OUT_TILE_DIM + 2 * FILTER_RADIUS) * 4)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif
#ifndef OUT_TILE_DIM
#define OUT_TILE_DIM 64
#endif
#define IN_TILE_DIM (OUT_TILE_DIM + 2 * FILTER_RADIUS)

__constant__ float filter[2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width) {
  __shared__ float in_s[IN_TILE_DIM];

  int tileStart = blockIdx.x * OUT_TILE_DIM - FILTER_RADIUS;

  for (int t = threadIdx.x; t < IN_TILE_DIM; t += OUT_TILE_DIM) {
    int inIndex = tileStart + t;
    if (inIndex >= 0 && inIndex < width) {
      in_s[t] = in[inIndex];
    } else {
      in_s[t] = 0.0f;
    }
  }
  __syncthreads();

  int outIndex = blockIdx.x * OUT_TILE_DIM + threadIdx.x;
  if (outIndex < width) {
    float sum = 0.0f;
    for (int f = 0; f < 2 * FILTER_RADIUS + 1; ++f) {
      sum += filter[f] * in_s[threadIdx.x + f];
    }
    out[outIndex] = sum;
  }
}
