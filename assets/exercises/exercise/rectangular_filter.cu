/* haloscope
title: Filter with different extents
book: PMPP 4e, section 7.2
idea: Each thread computes one output element with a filter that need not be square; ghost cells are left out, or count as zero.
sizes:
  width: {default: 6, min: 1, max: 4096, meaning: array columns}
  height: {default: 4, min: 1, max: 4096, meaning: array rows}
tunables:
  RADIUS_Y: {default: 1, min: 0, max: 9, meaning: filter rows on each side of the centre}
  RADIUS_X: {default: 2, min: 0, max: 9, meaning: filter columns on each side of the centre}
  GHOSTS: {default: 0, min: 0, max: 1, meaning: 1 if ghost cells are multiplied}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * RADIUS_Y + 1, 2 * RADIUS_X + 1]}
launch:
  grid: [ceil(width / 8), ceil(height / 8), 1]
  block: [8, 8, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [RADIUS_Y, RADIUS_X]
  border: ghost cells are zero
*/
#ifndef RADIUS_Y
#define RADIUS_Y 1
#endif
#ifndef RADIUS_X
#define RADIUS_X 2
#endif
#ifndef GHOSTS
#define GHOSTS 0
#endif

__global__ void convolution(const float* in, const float* filter, float* out, int width, int height) {
  int outRow = blockIdx.y * blockDim.y + threadIdx.y;
  int outCol = blockIdx.x * blockDim.x + threadIdx.x;
  if (outRow >= height || outCol >= width) return;

  float sum = 0.0f;
  for (int filterRow = 0; filterRow < 2 * RADIUS_Y + 1; ++filterRow) {
    for (int filterCol = 0; filterCol < 2 * RADIUS_X + 1; ++filterCol) {
      int inRow = outRow - RADIUS_Y + filterRow;
      int inCol = outCol - RADIUS_X + filterCol;
      bool inside = inRow >= 0 && inRow < height && inCol >= 0 && inCol < width;
      float value = 0.0f;
      if (inside) value = in[inRow * width + inCol];
      if (inside || GHOSTS) sum += filter[filterRow * (2 * RADIUS_X + 1) + filterCol] * value;
    }
  }
  out[outRow * width + outCol] = sum;
}
