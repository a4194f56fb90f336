/* haloscope
title: Basic convolution
book: PMPP 4e, section 7.2, figure 7.7
idea: One thread computes one output element; image and filter are both read from global memory.
climb: 2D convolution
order: 1
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
arguments:
  radius: FILTER_RADIUS
launch:
  grid: [ceil(width / BLOCK_X), ceil(height / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 / 8
*/
__global__ void convolution(const float* in, const float* filter, float* out, int radius,
                            int width, int height) {
  int outRow = blockIdx.y * blockDim.y + threadIdx.y;
  int outCol = blockIdx.x * blockDim.x + threadIdx.x;

  if (outRow < height && outCol < width) {
    float sum = 0.0f;
    for (int filterRow = 0; filterRow < 2 * radius + 1; ++filterRow) {
      for (int filterCol = 0; filterCol < 2 * radius + 1; ++filterCol) {
        int inRow = outRow - radius + filterRow;
        int inCol = outCol - radius + filterCol;
        if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
          sum += filter[filterRow * (2 * radius + 1) + filterCol] * in[inRow * width + inCol];
        }
      }
    }
    out[outRow * width + outCol] = sum;
  }
}
