/* haloscope
title: Tile, block as large as the output tile
book: PMPP 4e, section 7.4, the second thread organisation
idea: Each thread computes one output element; together the threads load the larger input tile in several rounds.
extends: convolution/tiled_input_block
order: 4
sizes:
  width: {default: 64, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  OUT_TILE_DIM: {default: 16, min: 1, max: 32, meaning: edge of the output tile}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / OUT_TILE_DIM), ceil(height / OUT_TILE_DIM), 1]
  block: [OUT_TILE_DIM, OUT_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: OUT_TILE_DIM^2 * (2 * FILTER_RADIUS + 1)^2 * 2 / ((OUT_TILE_DIM + 2 * FILTER_RADIUS)^2 * 4)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef OUT_TILE_DIM
#define OUT_TILE_DIM 16
#endif
#define IN_TILE_DIM (OUT_TILE_DIM + 2 * FILTER_RADIUS)

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  __shared__ float in_s[IN_TILE_DIM][IN_TILE_DIM];

  int rowStart = blockIdx.y * OUT_TILE_DIM - FILTER_RADIUS;
  int colStart = blockIdx.x * OUT_TILE_DIM - FILTER_RADIUS;

  for (int tileRow = threadIdx.y; tileRow < IN_TILE_DIM; tileRow += OUT_TILE_DIM) {
    for (int tileCol = threadIdx.x; tileCol < IN_TILE_DIM; tileCol += OUT_TILE_DIM) {
      int inRow = rowStart + tileRow;
      int inCol = colStart + tileCol;
      if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
        in_s[tileRow][tileCol] = in[inRow * width + inCol];
      } else {
        in_s[tileRow][tileCol] = 0.0f;
      }
    }
  }
  __syncthreads();

  int outRow = blockIdx.y * OUT_TILE_DIM + threadIdx.y;
  int outCol = blockIdx.x * OUT_TILE_DIM + threadIdx.x;
  if (outRow < height && outCol < width) {
    float sum = 0.0f;
    for (int filterRow = 0; filterRow < 2 * FILTER_RADIUS + 1; ++filterRow) {
      for (int filterCol = 0; filterCol < 2 * FILTER_RADIUS + 1; ++filterCol) {
        sum += filter[filterRow][filterCol] * in_s[threadIdx.y + filterRow][threadIdx.x + filterCol];
      }
    }
    out[outRow * width + outCol] = sum;
  }
}
