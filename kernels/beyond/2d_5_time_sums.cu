/* haloscope
title: 2D 5-point sweep, several steps at once as partial sums
book: beyond the book; extends section 8.5
idea: Each row is added to the sums of the row above, of its own and of the row below when it arrives, so a step keeps two sums a point and moves no rows between registers. Only strips at the border ask which points keep their value.
extends: beyond/2d_5_time
order: 3
sizes:
  N: {default: 128, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  STEPS: {default: 4, min: 1, max: 16, meaning: time steps per launch}
  COLUMNS: {default: 4, min: 2, max: 8, meaning: columns per thread}
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block}
  ROWS: {default: 32, min: 1, max: 1024, meaning: rows per block}
  AHEAD: {default: 2, min: 1, max: 8, meaning: rows under way}
requires: [BLOCK_X % 32 == 0, COLUMNS % (16 / sizeof(REAL)) == 0, 2 * ceil(STEPS / COLUMNS) < 32]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / (BLOCK_X / 32 * COLUMNS * (32 - 2 * ceil(STEPS / COLUMNS)))), ceil(N / ROWS), 1]
  block: [BLOCK_X, 1, 1]
  dynamic_shared_bytes: AHEAD * BLOCK_X * COLUMNS * sizeof(REAL) + 16
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 9 * STEPS / sizeof(REAL)
*/
#include <cuda_pipeline.h>

#ifndef REAL
#define REAL float
#endif
#ifndef STEPS
#define STEPS 4
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif
#ifndef BLOCK_X
#define BLOCK_X 64
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define WIDTH int(16 / sizeof(REAL))                      // values in a vector
#define HALO ((STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)  // of columns: a whole number of lanes
#define STRIP (32 * COLUMNS - 2 * HALO)                   // columns that a warp stores
// A strip may begin in the middle of a sector of 32 bytes: its slots do, too, or each sector would be read twice, once
// for each of the two that it would be copied to.
#define PHASE (HALO % (2 * WIDTH))

__constant__ REAL c[5];

// A vector has 16 bytes: four values in float, two in double.
__device__ void get(const float* from, float* v) {
  float4 four = *reinterpret_cast<const float4*>(from);
  v[0] = four.x;
  v[1] = four.y;
  v[2] = four.z;
  v[3] = four.w;
}
__device__ void get(const double* from, double* v) {
  double2 two = *reinterpret_cast<const double2*>(from);
  v[0] = two.x;
  v[1] = two.y;
}
__device__ void put(float* to, const float* v) {
  *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}
__device__ void put(double* to, const double* v) { *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]); }

// Where a warp is in its strip, and where its thread is in the grid.
struct Place {
  int q, last;             // row that arrives next; last one that is loaded
  int begin, end;          // rows that are stored
  int j, left, right;      // first column; which of the thread's columns is the border of the grid, if one is
  bool inside;             // the thread's columns are stored by this strip
  const REAL* from;        // row that is loaded next
  REAL *to, *slots, *next;  // row that is stored next; the thread's slots for rows under way; the one read next
};

// Begins to copy the thread's part of a row; beyond the grid the nearest values stand in: no result depends on them.
// ALIGNED: rows begin at multiples of the thread's columns.
template <bool ALIGNED>
__device__ void copy(const REAL* row, int N, int j, REAL* to) {
  if (ALIGNED) {
    for (int n = 0; n < COLUMNS; n += WIDTH) {
      __pipeline_memcpy_async(to + n, row + max(0, min(j, N - COLUMNS)) + n, 16);
    }
  } else {
#pragma unroll 1
    for (int n = 0; n < COLUMNS; ++n) {
      __pipeline_memcpy_async(to + n, row + max(0, min(j + n, N - 1)), sizeof(REAL));
    }
  }
}

// Gives the points at the border their value again.
template <bool ALIGNED>
__device__ void keep(const Place& p, bool row, REAL* to, const REAL* value) {
#pragma unroll
  for (int v = 0; v < COLUMNS; ++v) {
    bool left = (v == 0 || !ALIGNED) && v == p.left;
    bool right = (v == COLUMNS - 1 || !ALIGNED) && v == p.right;
    if (row || left || right) { to[v] = value[v]; }
  }
}

// Lets the rows before row `stop` arrive. With row q, step t gets row q - t of the step before: that completes `sum`,
// of row q - t - 1, and begins `later`, of row q - t + 1. SIDES, ENDS: columns, rows of the border may be in sight.
template <bool ALIGNED, bool SIDES, bool ENDS>
__device__ void rows(Place& p, int stop, int N, REAL sum[STEPS][COLUMNS], REAL later[STEPS][COLUMNS]) {
#pragma unroll 1
  for (; p.q < stop; ++p.q) {
    REAL x[COLUMNS];
    __pipeline_wait_prior(AHEAD - 1);
#pragma unroll
    for (int n = 0; n < COLUMNS; n += WIDTH) { get(p.next + n, x + n); }
    if (p.q + AHEAD <= p.last) { copy<ALIGNED>(p.from, N, p.j, p.next); }
    p.from += N;
    __pipeline_commit();
    p.next = p.next < p.slots + (AHEAD - 1) * BLOCK_X * COLUMNS ? p.next + BLOCK_X * COLUMNS : p.slots;

#pragma unroll
    for (int t = 0; t < STEPS; ++t) {
      int i = p.q - t;
      REAL left = __shfl_up_sync(0xffffffff, x[COLUMNS - 1], 1);
      REAL right = __shfl_down_sync(0xffffffff, x[0], 1);
      REAL done[COLUMNS];
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) { done[v] = sum[t][v] + c[4] * x[v]; }
      if (SIDES || ENDS) { keep<ALIGNED>(p, ENDS && (i <= 1 || i >= N), done, sum[t]); }
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
        REAL s = later[t][v] + c[0] * x[v];
        s += c[1] * (v > 0 ? x[v - 1] : left);
        s += c[2] * (v < COLUMNS - 1 ? x[v + 1] : right);
        sum[t][v] = s;
        later[t][v] = c[3] * x[v];
      }
      if (SIDES || ENDS) { keep<ALIGNED>(p, ENDS && (i <= 0 || i >= N - 1), sum[t], x); }
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) { x[v] = done[v]; }
    }

    int i = p.q - STEPS;
    if (i >= p.begin) {
      if (i < p.end && p.inside) {
        if (ALIGNED) {
#pragma unroll
          for (int n = 0; n < COLUMNS; n += WIDTH) { put(p.to + n, x + n); }
        } else {
          for (int v = 0; v < COLUMNS; ++v) {
            if (p.j + v < N) { p.to[v] = x[v]; }
          }
        }
      }
      p.to += N;
    }
  }
}

template <bool ALIGNED>
__device__ void march(const REAL* in, REAL* out, int N, REAL* slots) {
  int lane = threadIdx.x % 32;
  // By a shuffle the compiler learns that all lanes have the same strip and so the same way through the program: it
  // keeps the weights in uniform registers, which all lanes share.
  int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  int strip = (blockIdx.x * (BLOCK_X / 32) + warp) * STRIP - HALO;  // its first column
  int begin = blockIdx.y * ROWS;
  int end = min(begin + ROWS, N);
  Place p;
  p.q = max(begin - STEPS, 0);
  p.last = min(end + STEPS, N) - 1;
  p.begin = max(begin, 1);
  p.end = min(end, N - 1);
  p.j = strip + COLUMNS * lane;
  p.left = -p.j;
  p.right = N - 1 - p.j;
  p.inside = lane >= HALO / COLUMNS && lane < 32 - HALO / COLUMNS && p.j < N;
  p.from = in + p.q * N;
  p.to = out + p.begin * N + p.j;
  p.slots = slots;
  p.next = slots;

  REAL sum[STEPS][COLUMNS], later[STEPS][COLUMNS];
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
#pragma unroll
    for (int v = 0; v < COLUMNS; ++v) {
      sum[t][v] = 0;
      later[t][v] = 0;
    }
  }
  for (int a = 0; a < AHEAD; ++a) {
    if (p.q + a <= p.last) { copy<ALIGNED>(p.from, N, p.j, slots + a * BLOCK_X * COLUMNS); }
    p.from += N;
    __pipeline_commit();
  }

  // Loops of their own, so that the points inside of the grid ask nothing about the border.
  int stop = end + STEPS;
  if (begin <= STEPS) { rows<ALIGNED, true, true>(p, min(stop, STEPS + 1), N, sum, later); }
  if (strip <= 0 || strip + 32 * COLUMNS >= N) {
    rows<ALIGNED, true, false>(p, min(stop, N - 1), N, sum, later);
  } else {
    rows<ALIGNED, false, false>(p, min(stop, N - 1), N, sum, later);
  }
  rows<ALIGNED, true, true>(p, stop, N, sum, later);
}

__global__ void __launch_bounds__(BLOCK_X) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(32) REAL slots_s[];  // no thread reads those of another
  REAL* slots = slots_s + PHASE + threadIdx.x * COLUMNS;
  if (N % COLUMNS == 0) {
    march<true>(in, out, N, slots);
  } else {
    march<false>(in, out, N, slots);
  }
}
