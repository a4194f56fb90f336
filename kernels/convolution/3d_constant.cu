/* haloscope
title: 3D convolution, filter in constant memory
book: PMPP 4e, section 7.3, exercise 9
idea: In 3D the filter is a cube; each output reads (2r+1)³ inputs, but still one filter element at a time.
climb: 3D convolution
order: 31
sizes:
  width: {default: 24, min: 1, max: 1024, meaning: volume elements along x}
  height: {default: 20, min: 1, max: 1024, meaning: volume elements along y}
  depth: {default: 16, min: 1, max: 1024, meaning: volume elements along z}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 2, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 8, min: 1, max: 64, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: threads per block along y}
  BLOCK_Z: {default: 4, min: 1, max: 32, meaning: threads per block along z}
arrays:
  in: {shape: [depth, height, width]}
  out: {shape: [depth, height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / BLOCK_X), ceil(height / BLOCK_Y), ceil(depth / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 / 4
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#define FILTER_DIM (2 * FILTER_RADIUS + 1)

__constant__ float filter[FILTER_DIM][FILTER_DIM][FILTER_DIM];

__global__ void convolution(const float* in, float* out, int width, int height, int depth) {
  int outPlane = blockIdx.z * blockDim.z + threadIdx.z;
  int outRow = blockIdx.y * blockDim.y + threadIdx.y;
  int outCol = blockIdx.x * blockDim.x + threadIdx.x;

  if (outPlane < depth && outRow < height && outCol < width) {
    float sum = 0.0f;
    for (int filterPlane = 0; filterPlane < FILTER_DIM; ++filterPlane) {
      for (int filterRow = 0; filterRow < FILTER_DIM; ++filterRow) {
        for (int filterCol = 0; filterCol < FILTER_DIM; ++filterCol) {
          int inPlane = outPlane - FILTER_RADIUS + filterPlane;
          int inRow = outRow - FILTER_RADIUS + filterRow;
          int inCol = outCol - FILTER_RADIUS + filterCol;
          if (inPlane >= 0 && inPlane < depth && inRow >= 0 && inRow < height &&
              inCol >= 0 && inCol < width) {
            sum += filter[filterPlane][filterRow][filterCol] * in[(inPlane * height + inRow) * width + inCol];
          }
        }
      }
    }
    out[(outPlane * height + outRow) * width + outCol] = sum;
  }
}
