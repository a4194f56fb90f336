/* haloscope
title: 2D convolution, rows in registers
book: beyond the book; extends section 7.5
idea: A thread computes four columns of several rows. Each input row it holds serves every output row that it touches, and neighbours come from other lanes instead of shared memory.
extends: convolution/constant
order: 11
sizes:
  width: {default: 256, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 4, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 2, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 4, min: 1, max: 10, meaning: output rows per thread}
requires: [BLOCK_X % 32 == 0]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (4 * BLOCK_X)), ceil(height / (ROWS * BLOCK_Y)), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 * (2 * FILTER_RADIUS + 1)^2 * 4 * ROWS / ((ROWS + 2 * FILTER_RADIUS) * (4 + FILTER_RADIUS / 16) * 4)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef ROWS
#define ROWS 4
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width, int height) {
  int lane = threadIdx.x % 32;
  int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int first = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  // Where the columns begin that the first and the last lane need from outside the warp.
  int beside = lane == 0 ? column - FILTER_RADIUS : column + 4;
  bool outer = (lane == 0 || lane == 31) && column < width && beside >= 0 && beside < width;

  if (width % 4 == 0) {
    float4 own[ROWS + 2 * FILTER_RADIUS];
    float edge[ROWS + 2 * FILTER_RADIUS][FILTER_RADIUS];
    for (int k = 0; k < ROWS + 2 * FILTER_RADIUS; ++k) {
      int row = first + k - FILTER_RADIUS;
      own[k] = make_float4(0, 0, 0, 0);
      if (row >= 0 && row < height && column < width) {
        own[k] = *reinterpret_cast<const float4*>(in + row * width + column);
      }
    }
    for (int k = 0; k < ROWS + 2 * FILTER_RADIUS; ++k) {
      int row = first + k - FILTER_RADIUS;
      for (int v = 0; v < FILTER_RADIUS; ++v) {
        edge[k][v] = 0;
        if (outer && row >= 0 && row < height) { edge[k][v] = in[row * width + beside + v]; }
      }
    }

    float result[ROWS][4];
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < 4; ++v) { result[r][v] = 0; }
    }
#pragma unroll
    for (int k = 0; k < ROWS + 2 * FILTER_RADIUS; ++k) {
      float here[4] = {own[k].x, own[k].y, own[k].z, own[k].w};
      float window[12];  // four values of the lane before, the lane's own, four of the lane behind
      for (int v = 0; v < 4; ++v) {
        window[v] = 0;
        window[4 + v] = here[v];
        window[8 + v] = 0;
        if (v >= 4 - FILTER_RADIUS) {
          window[v] = __shfl_up_sync(0xffffffff, here[v], 1);
          if (lane == 0) { window[v] = edge[k][v - 4 + FILTER_RADIUS]; }
        }
        if (v < FILTER_RADIUS) {
          window[8 + v] = __shfl_down_sync(0xffffffff, here[v], 1);
          if (lane == 31) { window[8 + v] = edge[k][v]; }
        }
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        int filterRow = k - r;
        if (filterRow >= 0 && filterRow <= 2 * FILTER_RADIUS) {
          for (int j = 0; j <= 2 * FILTER_RADIUS; ++j) {
            for (int v = 0; v < 4; ++v) { result[r][v] += filter[filterRow][j] * window[4 + v + j - FILTER_RADIUS]; }
          }
        }
      }
    }

    for (int r = 0; r < ROWS; ++r) {
      if (first + r < height && column < width) {
        *reinterpret_cast<float4*>(out + (first + r) * width + column) =
            make_float4(result[r][0], result[r][1], result[r][2], result[r][3]);
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int row = first; row < min(first + ROWS, height); ++row) {
      for (int x = column; x < min(column + 4, width); ++x) {
        float sum = 0;
        for (int i = max(row - FILTER_RADIUS, 0); i <= min(row + FILTER_RADIUS, height - 1); ++i) {
          for (int j = max(x - FILTER_RADIUS, 0); j <= min(x + FILTER_RADIUS, width - 1); ++j) {
            sum += filter[i - row + FILTER_RADIUS][j - x + FILTER_RADIUS] * in[i * width + j];
          }
        }
        out[row * width + x] = sum;
      }
    }
  }
}
