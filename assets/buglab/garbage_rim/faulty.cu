/* haloscope
title: Garbage along the edge
task: >-
  The inside of the image is correct; along its edge there is garbage that differs from run to run. Find its origin.
hint: >-
  What does a tile cell contain if there is no pixel for it?
sizes:
  width: {default: 40, min: 1, max: 4096, meaning: image columns}
  height: {default: 24, min: 1, max: 4096, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 3, meaning: filter elements on each side of the centre}
  IN_TILE_DIM: {default: 8, min: 7, max: 32, meaning: edge of the input tile}
requires: [IN_TILE_DIM > 2 * FILTER_RADIUS]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (IN_TILE_DIM - 2 * FILTER_RADIUS)), ceil(height / (IN_TILE_DIM - 2 * FILTER_RADIUS)), 1]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * FILTER_RADIUS)

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  __shared__ float in_s[IN_TILE_DIM][IN_TILE_DIM];

  int row = blockIdx.y * OUT_TILE_DIM + threadIdx.y - FILTER_RADIUS;
  int col = blockIdx.x * OUT_TILE_DIM + threadIdx.x - FILTER_RADIUS;

  if (row >= 0 && row < height && col >= 0 && col < width) {
    in_s[threadIdx.y][threadIdx.x] = in[row * width + col];
  }
  __syncthreads();

  int tileRow = threadIdx.y - FILTER_RADIUS;
  int tileCol = threadIdx.x - FILTER_RADIUS;
  if (row >= 0 && row < height && col >= 0 && col < width) {
    if (tileRow >= 0 && tileRow < OUT_TILE_DIM && tileCol >= 0 && tileCol < OUT_TILE_DIM) {
      float sum = 0.0f;
      for (int filterRow = 0; filterRow < 2 * FILTER_RADIUS + 1; ++filterRow) {
        for (int filterCol = 0; filterCol < 2 * FILTER_RADIUS + 1; ++filterCol) {
          sum += filter[filterRow][filterCol] * in_s[tileRow + filterRow][tileCol + filterCol];
        }
      }
      out[row * width + col] = sum;
    }
  }
}
