/* haloscope
title: A picture and a filter
book: playground
idea: Every pixel becomes a weighted sum of its neighbours. Drop a PNG or JPEG here, choose a filter, and change its cells.
order: 40
sizes:
  width: {default: 64, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
arrays:
  in:
    shape: [height, width]
    values: "(x - 0.3 * width)^2 + (y - 0.4 * height)^2 < (0.22 * height)^2 ? 0.9 - 0.5 * ((x - 0.26 * width)^2 + (y - 0.35 * height)^2) / (0.22 * height)^2 : (abs(x - 0.72 * width) < 0.15 * width && abs(y - 0.62 * height) < 0.24 * height) ? (floor(x / (0.03 * width)) + floor(y / (0.03 * width))) % 2 * 0.7 + 0.15 : y > 0.86 * height ? 0.5 + 0.5 * sin(x * x / width / 3) : 0.15 + 0.35 * y / height"
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
problem:
  shows: out
  legend: grey value
  size: 512
  brush: {in: [1, 0]}
  filters:
    Gaussian blur: 1/16,2/16,1/16;2/16,4/16,2/16;1/16,2/16,1/16
    box blur: 1/25,1/25,1/25,1/25,1/25;1/25,1/25,1/25,1/25,1/25;1/25,1/25,1/25,1/25,1/25;1/25,1/25,1/25,1/25,1/25;1/25,1/25,1/25,1/25,1/25
    sharpen: 0,-1,0;-1,5,-1;0,-1,0
    edges: -1,-1,-1;-1,8,-1;-1,-1,-1
    edges from left to right: -1,0,1;-2,0,2;-1,0,1
    emboss: -2,-1,0;-1,1,1;0,1,2
    identity: 0,0,0;0,1,0;0,0,0
op_per_byte: 2 / 4
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < height && column < width) {
    float sum = 0.0f;
    for (int i = -FILTER_RADIUS; i <= FILTER_RADIUS; ++i) {
      for (int j = -FILTER_RADIUS; j <= FILTER_RADIUS; ++j) {
        if (row + i >= 0 && row + i < height && column + j >= 0 && column + j < width) {
          sum += filter[i + FILTER_RADIUS][j + FILTER_RADIUS] * in[(row + i) * width + column + j];
        }
      }
    }
    out[row * width + column] = sum;
  }
}
