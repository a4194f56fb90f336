/* haloscope
title: 2D convolution, sums slide through registers
book: beyond the book; extends section 7.5
idea: A thread marches down a strip. Each row is loaded once, a row ahead, and adds to the sums of all output rows that it touches; these wait in registers until their last row has come.
extends: beyond/convolution_rows
order: 12
sizes:
  width: {default: 256, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block along x}
  ROWS: {default: 16, min: 1, max: 256, meaning: output rows per thread}
requires: [BLOCK_X % 32 == 0]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (4 * BLOCK_X)), ceil(height / ROWS), 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 * (2 * FILTER_RADIUS + 1)^2 / (4 + (FILTER_RADIUS + max(FILTER_RADIUS - 4, 0)) / 16)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif
#ifndef ROWS
#define ROWS 16
#endif
#define SPAN (2 * FILTER_RADIUS + 1)

__constant__ float filter[SPAN][SPAN];

// A thread's four columns of a row, and of the neighbours those that are in no lane of its warp.
__device__ void load(const float* in, int width, int height, int row, int column, int lane, float own[4],
                     float edge[FILTER_RADIUS]) {
  bool inside = row >= 0 && row < height;
  for (int v = 0; v < 4; ++v) { own[v] = 0; }
  if (inside && width % 4 == 0 && column < width) {
    float4 four = *reinterpret_cast<const float4*>(in + row * width + column);
    own[0] = four.x;
    own[1] = four.y;
    own[2] = four.z;
    own[3] = four.w;
  } else if (inside) {  // rows do not begin at multiples of 16 bytes
    for (int v = 0; v < 4; ++v) {
      if (column + v < width) { own[v] = in[row * width + column + v]; }
    }
  }
  for (int d = 1; d <= FILTER_RADIUS; ++d) {  // d columns from the thread's own: (d + 3) / 4 lanes away
    int at = lane < 16 ? column - d : column + 3 + d;
    bool outer = lane < (d + 3) / 4 || lane >= 32 - (d + 3) / 4;
    edge[d - 1] = 0;
    if (inside && outer && at >= 0 && at < width) { edge[d - 1] = in[row * width + at]; }
  }
}

__global__ void convolution(const float* in, float* out, int width, int height) {
  int lane = threadIdx.x % 32;
  int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int first = blockIdx.y * ROWS;
  int end = min(first + ROWS, height) + FILTER_RADIUS;

  float sums[SPAN][4];  // of output rows p - FILTER_RADIUS to p + FILTER_RADIUS
  float own[4], edge[FILTER_RADIUS], nextOwn[4], nextEdge[FILTER_RADIUS];
  for (int q = 0; q < SPAN; ++q) {
    for (int v = 0; v < 4; ++v) { sums[q][v] = 0; }
  }
  load(in, width, height, first - FILTER_RADIUS, column, lane, own, edge);
  for (int p = first - FILTER_RADIUS; p < end; ++p) {
    int ahead = p + 1;
    if (ahead == end) { ahead = height; }  // the strip needs no more rows
    load(in, width, height, ahead, column, lane, nextOwn, nextEdge);

    float window[4 + 2 * FILTER_RADIUS];
    for (int v = 0; v < 4; ++v) { window[FILTER_RADIUS + v] = own[v]; }
#pragma unroll
    for (int d = 1; d <= FILTER_RADIUS; ++d) {
      int lanes = (d + 3) / 4;
      float left = __shfl_up_sync(0xffffffff, own[4 * lanes - d], lanes);
      float right = __shfl_down_sync(0xffffffff, own[(d - 1) % 4], lanes);
      if (lane < lanes) { left = edge[d - 1]; }
      if (lane >= 32 - lanes) { right = edge[d - 1]; }
      window[FILTER_RADIUS - d] = left;
      window[FILTER_RADIUS + 3 + d] = right;
    }
#pragma unroll
    for (int q = 0; q < SPAN; ++q) {
      for (int j = 0; j < SPAN; ++j) {
        for (int v = 0; v < 4; ++v) { sums[q][v] += filter[SPAN - 1 - q][j] * window[v + j]; }
      }
    }

    int row = p - FILTER_RADIUS;  // its sums are complete
    if (row >= first && column < width) {
      if (width % 4 == 0) {
        *reinterpret_cast<float4*>(out + row * width + column) =
            make_float4(sums[0][0], sums[0][1], sums[0][2], sums[0][3]);
      } else {
        for (int v = 0; v < 4; ++v) {
          if (column + v < width) { out[row * width + column + v] = sums[0][v]; }
        }
      }
    }
    for (int v = 0; v < 4; ++v) {
      for (int q = 0; q < SPAN - 1; ++q) { sums[q][v] = sums[q + 1][v]; }
      sums[SPAN - 1][v] = 0;
      own[v] = nextOwn[v];
    }
    for (int d = 0; d < FILTER_RADIUS; ++d) { edge[d] = nextEdge[d]; }
  }
}
