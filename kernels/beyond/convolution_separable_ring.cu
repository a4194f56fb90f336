/* haloscope
title: Separable convolution, rows by bulk copies
book: beyond the book; extends section 7.5
idea: Rows are copied into a ring in shared memory, several rows ahead. A thread sums each row along x in registers and adds the sum to all rows of results that it touches, so no sum goes through shared memory and no row is summed twice.
extends: beyond/convolution_separable
order: 15
compute_capability: 9.0
sizes:
  width: {default: 256, min: 1, max: 16384, meaning: image columns}
  height: {default: 48, min: 1, max: 16384, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 32, min: 32, max: 256, meaning: threads per block along x}
  COLS: {default: 4, min: 4, max: 8, meaning: columns per thread}
  ROWS: {default: 16, min: 1, max: 256, meaning: output rows per thread}
  SLOTS: {default: 4, min: 2, max: 16, meaning: rows in the ring}
requires: [COLS % 4 == 0, SLOTS * (4 * COLS * BLOCK_X + 32 * ceil(FILTER_RADIUS / 4) + 8) <= 49152]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  column: {shape: [2 * FILTER_RADIUS + 1]}
  row: {shape: [2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (COLS * BLOCK_X)), ceil(height / ROWS), 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: {product: [column, row]}
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 * (2 * FILTER_RADIUS + 1) * COLS * BLOCK_X / (2 * COLS * BLOCK_X + 16 * ceil(FILTER_RADIUS / 4))
*/
#include <cuda/ptx>

#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef COLS
#define COLS 4
#endif
#ifndef ROWS
#define ROWS 16
#endif
#ifndef SLOTS
#define SLOTS 4
#endif
#define SPAN (2 * FILTER_RADIUS + 1)
#define PAD ((FILTER_RADIUS + 3) / 4 * 4)  // columns beside the block's: whole vectors
#define TILE (COLS * BLOCK_X + 2 * PAD)

namespace ptx = cuda::ptx;

__constant__ float column[SPAN];
__constant__ float row[SPAN];

// One thread has the part of a row copied that the block needs. Columns outside the image keep their zeros.
__device__ void fetch(const float* in, int width, int height, int y, int left, float* to, uint64_t* arrived) {
  bool inside = y >= 0 && y < height;
  int begin = max(left, 0);
  unsigned bytes = inside ? (min(left + TILE, width) - begin) * 4 : 0;
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived, bytes);
  if (inside) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to + begin - left, in + y * width + begin, bytes,
                       arrived);
  }
}

__global__ void __launch_bounds__(BLOCK_X) convolution(const float* in, float* out, int width, int height) {
  __shared__ __align__(16) float ring_s[SLOTS][TILE];
  __shared__ uint64_t arrived_s[SLOTS];
  int left = COLS * BLOCK_X * blockIdx.x - PAD;
  int first = ROWS * blockIdx.y;
  int x = COLS * (blockIdx.x * BLOCK_X + threadIdx.x);
  int top = first - FILTER_RADIUS;
  int rows = min(first + ROWS, height) + FILTER_RADIUS - top;  // that the block reads

  if (width % 4 == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      for (int k = threadIdx.x; k < TILE; k += BLOCK_X) { ring_s[s][k] = 0; }
      if (threadIdx.x == 0) { ptx::mbarrier_init(&arrived_s[s], 1); }
    }
    ptx::fence_proxy_async();  // the zeros and the barriers are there before any copy
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int r = 0; r < min(SLOTS - 1, rows); ++r) {
        fetch(in, width, height, top + r, left, ring_s[r], &arrived_s[r]);
      }
    }

    float sums[SPAN - 1][COLS];  // of output rows top + r - FILTER_RADIUS to top + r + FILTER_RADIUS - 1, so far
    for (int q = 0; q < SPAN - 1; ++q) {
      for (int v = 0; v < COLS; ++v) { sums[q][v] = 0; }
    }
    for (int r = 0; r < rows; ++r) {
      int slot = r % SLOTS;
      while (!ptx::mbarrier_try_wait_parity(&arrived_s[slot], r / SLOTS % 2)) {}
      int ahead = r + SLOTS - 1;  // in the slot of row r - 1, which all threads have read
      if (threadIdx.x == 0 && ahead < rows) {
        fetch(in, width, height, top + ahead, left, ring_s[ahead % SLOTS], &arrived_s[ahead % SLOTS]);
      }
      bool inside = top + r >= 0 && top + r < height;
      float window[COLS + 2 * PAD];
#pragma unroll
      for (int b = 0; b < COLS + 2 * PAD; b += 4) {
        float4 four = make_float4(0, 0, 0, 0);
        if (inside) { four = *reinterpret_cast<const float4*>(&ring_s[slot][COLS * threadIdx.x + b]); }
        window[b] = four.x;
        window[b + 1] = four.y;
        window[b + 2] = four.z;
        window[b + 3] = four.w;
      }
      float result[COLS];
#pragma unroll
      for (int v = 0; v < COLS; ++v) {
        float own = 0;  // sum of the row
        for (int j = 0; j < SPAN; ++j) { own += row[j] * window[PAD - FILTER_RADIUS + v + j]; }
        for (int q = 0; q < SPAN; ++q) {
          float sum = 0;
          if (q < SPAN - 1) { sum = sums[q][v]; }
          sum += column[SPAN - 1 - q] * own;
          if (q == 0) { result[v] = sum; }
          if (q > 0) { sums[q - 1][v] = sum; }  // they move on by a row
        }
      }
      int y = top + r - FILTER_RADIUS;  // its sums are complete
#pragma unroll
      for (int v = 0; v < COLS; v += 4) {
        if (y >= first && x + v < width) {
          *reinterpret_cast<float4*>(out + y * width + x + v) =
              make_float4(result[v], result[v + 1], result[v + 2], result[v + 3]);
        }
      }
      __syncthreads();
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int y = first; y < min(first + ROWS, height); ++y) {
      for (int at = x; at < min(x + COLS, width); ++at) {
        float sum = 0;
        for (int i = max(y - FILTER_RADIUS, 0); i <= min(y + FILTER_RADIUS, height - 1); ++i) {
          for (int j = max(at - FILTER_RADIUS, 0); j <= min(at + FILTER_RADIUS, width - 1); ++j) {
            sum += column[i - y + FILTER_RADIUS] * row[j - at + FILTER_RADIUS] * in[i * width + j];
          }
        }
        out[y * width + at] = sum;
      }
    }
  }
}
