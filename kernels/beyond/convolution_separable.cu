/* haloscope
title: 2D convolution with a separable filter
book: beyond the book; extends section 7.5
idea: The filter is a column times a row, so rows are summed along x, then these sums along y; 2(2r + 1) products, not (2r + 1)².
climb: 2D convolution, separable filter
order: 14
sizes:
  width: {default: 256, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 32, min: 4, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 16, meaning: threads per block along y}
  TILE_Y: {default: 16, min: 1, max: 64, meaning: output rows per block}
requires: [BLOCK_X * BLOCK_Y <= 1024]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  column: {shape: [2 * FILTER_RADIUS + 1]}
  row: {shape: [2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / BLOCK_X), ceil(height / TILE_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: {product: [column, row]}
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: (TILE_Y + FILTER_RADIUS) / (TILE_Y + 2 * FILTER_RADIUS)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef TILE_Y
#define TILE_Y 16
#endif

__constant__ float column[2 * FILTER_RADIUS + 1];
__constant__ float row[2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  __shared__ float sums_s[TILE_Y + 2 * FILTER_RADIUS][BLOCK_X];  // of the tile's rows and FILTER_RADIUS on each side
  int x = blockIdx.x * BLOCK_X + threadIdx.x;
  int first = blockIdx.y * TILE_Y;

  for (int t = threadIdx.y; t < TILE_Y + 2 * FILTER_RADIUS; t += BLOCK_Y) {
    int y = first + t - FILTER_RADIUS;
    float sum = 0;
    for (int j = 0; j < 2 * FILTER_RADIUS + 1; ++j) {
      int at = x + j - FILTER_RADIUS;
      if (y >= 0 && y < height && at >= 0 && at < width) { sum += row[j] * in[y * width + at]; }
    }
    sums_s[t][threadIdx.x] = sum;
  }
  __syncthreads();

  for (int t = threadIdx.y; t < TILE_Y; t += BLOCK_Y) {
    int y = first + t;
    float sum = 0;
    for (int i = 0; i < 2 * FILTER_RADIUS + 1; ++i) { sum += column[i] * sums_s[t + i][threadIdx.x]; }
    if (y < height && x < width) { out[y * width + x] = sum; }
  }
}
