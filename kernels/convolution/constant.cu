/* haloscope
title: Filter in constant memory
book: PMPP 4e, section 7.3, figure 7.9
idea: The filter is small, never changes and is read in the same order by all threads, so it belongs in constant memory.
extends: convolution/basic
order: 2
sizes:
  width: {default: 64, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 16, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 16, min: 1, max: 64, meaning: threads per block along y}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / BLOCK_X), ceil(height / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 / 4
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  int outRow = blockIdx.y * blockDim.y + threadIdx.y;
  int outCol = blockIdx.x * blockDim.x + threadIdx.x;

  if (outRow < height && outCol < width) {
    float sum = 0.0f;
    for (int filterRow = 0; filterRow < 2 * FILTER_RADIUS + 1; ++filterRow) {
      for (int filterCol = 0; filterCol < 2 * FILTER_RADIUS + 1; ++filterCol) {
        int inRow = outRow - FILTER_RADIUS + filterRow;
        int inCol = outCol - FILTER_RADIUS + filterCol;
        if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
          sum += filter[filterRow][filterCol] * in[inRow * width + inCol];
        }
      }
    }
    out[outRow * width + outCol] = sum;
  }
}
