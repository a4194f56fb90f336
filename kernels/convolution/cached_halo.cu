/* haloscope
title: Halo through the cache
book: PMPP 4e, section 7.5, figure 7.15
idea: Only the tile itself is in shared memory; its halo is read from global memory, usually from the cache, since a neighbouring block loads it too.
extends: convolution/tiled_output_block
order: 5
sizes:
  width: {default: 64, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  TILE_DIM: {default: 16, min: 1, max: 32, meaning: edge of the tile}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / TILE_DIM), ceil(height / TILE_DIM), 1]
  block: [TILE_DIM, TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: TILE_DIM^2 * (2 * FILTER_RADIUS + 1)^2 * 2 / (TILE_DIM^2 * 4)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef TILE_DIM
#define TILE_DIM 16
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  __shared__ float in_s[TILE_DIM][TILE_DIM];

  int row = blockIdx.y * TILE_DIM + threadIdx.y;
  int col = blockIdx.x * TILE_DIM + threadIdx.x;

  if (row < height && col < width) {
    in_s[threadIdx.y][threadIdx.x] = in[row * width + col];
  }
  __syncthreads();

  if (row < height && col < width) {
    float sum = 0.0f;
    for (int filterRow = 0; filterRow < 2 * FILTER_RADIUS + 1; ++filterRow) {
      for (int filterCol = 0; filterCol < 2 * FILTER_RADIUS + 1; ++filterCol) {
        int tileRow = threadIdx.y - FILTER_RADIUS + filterRow;
        int tileCol = threadIdx.x - FILTER_RADIUS + filterCol;
        int inRow = row - FILTER_RADIUS + filterRow;
        int inCol = col - FILTER_RADIUS + filterCol;
        if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
          if (tileRow >= 0 && tileRow < TILE_DIM && tileCol >= 0 && tileCol < TILE_DIM) {
            sum += filter[filterRow][filterCol] * in_s[tileRow][tileCol];
          } else {
            sum += filter[filterRow][filterCol] * in[inRow * width + inCol];
          }
        }
      }
    }
    out[row * width + col] = sum;
  }
}
