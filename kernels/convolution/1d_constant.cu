/* haloscope
title: 1D filter in constant memory
book: PMPP 4e, section 7.3
idea: All threads read the same filter element at the same time, so one broadcast from constant memory serves a whole warp.
extends: convolution/1d_basic
order: 12
sizes:
  width: {default: 256, min: 1, max: 67108864, meaning: array elements}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 8, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 64, min: 1, max: 1024, meaning: threads per block}
arrays:
  in: {shape: [width]}
  out: {shape: [width]}
  filter: {shape: [2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / BLOCK_X), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 / 4
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width) {
  int outIndex = blockIdx.x * blockDim.x + threadIdx.x;

  if (outIndex < width) {
    float sum = 0.0f;
    for (int f = 0; f < 2 * FILTER_RADIUS + 1; ++f) {
      int inIndex = outIndex - FILTER_RADIUS + f;
      if (inIndex >= 0 && inIndex < width) {
        sum += filter[f] * in[inIndex];
      }
    }
    out[outIndex] = sum;
  }
}
