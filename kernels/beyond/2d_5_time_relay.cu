/* haloscope
title: 2D 5-point sweep, time steps shared out among warps
book: beyond the book; extends section 8.5
idea: Each warp of a block takes some of the time steps of the same strip and hands its rows on through shared memory, a few at a time. A thread keeps the sums of fewer steps, so it can have more columns.
extends: beyond/2d_5_time_sums
order: 4
sizes:
  N: {default: 128, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  STEPS: {default: 4, min: 2, max: 32, meaning: time steps per launch}
  PARTS: {default: 2, min: 1, max: 8, meaning: warps that share the steps}
  COLUMNS: {default: 4, min: 2, max: 8, meaning: columns per thread}
  ROWS: {default: 32, min: 1, max: 2048, meaning: rows per block}
  BATCH: {default: 4, min: 1, max: 16, meaning: rows handed on at once}
  AHEAD: {default: 2, min: 1, max: 8, meaning: batches under way}
requires: [STEPS % PARTS == 0, COLUMNS % (16 / sizeof(REAL)) == 0, "2 * max(16 / sizeof(REAL), COLUMNS / 2) * ceil(STEPS / max(16 / sizeof(REAL), COLUMNS / 2)) < 32 * COLUMNS"]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: ["ceil(N / (32 * COLUMNS - 2 * max(16 / sizeof(REAL), COLUMNS / 2) * ceil(STEPS / max(16 / sizeof(REAL), COLUMNS / 2))))", ceil(N / ROWS), 1]
  block: [32, PARTS, 1]
  dynamic_shared_bytes: (AHEAD + 2 * PARTS - 1) * BATCH * 32 * COLUMNS * sizeof(REAL)
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
#ifndef PARTS
#define PARTS 2
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef BATCH
#define BATCH 4
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define SHARE (STEPS / PARTS)                               // steps of a warp
#define WIDTH int(16 / sizeof(REAL))                        // values in a vector
#define UNIT (WIDTH > COLUMNS / 2 ? WIDTH : COLUMNS / 2)    // so that borders are at the same columns of all threads
#define HALO ((STEPS + UNIT - 1) / UNIT * UNIT)             // of columns
#define STRIP (32 * COLUMNS - 2 * HALO)                     // columns that a block stores
#define ROW (32 * COLUMNS)                                  // values of a row in shared memory

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

// Where value e of a row is in shared memory: the first vectors of all threads, then their second ones, so that a warp
// reads them without bank conflicts.
__device__ int placeOf(int e) {
  const int kVectors = COLUMNS / WIDTH;
  return (e / WIDTH % kVectors * 32 + e / COLUMNS) * WIDTH + e % WIDTH;
}

// Begins to copy a batch of rows, neighbouring lanes neighbouring values. Beyond the grid the nearest values stand in:
// no result depends on them. ALIGNED: N is a multiple of the thread's columns.
template <bool ALIGNED>
__device__ void load(const REAL* in, int N, int q, int last, int strip, REAL* to) {
#pragma unroll 1
  for (int i = q; i < q + BATCH && i <= last; ++i) {
    const REAL* row = in + i * N;
    if (ALIGNED) {
#pragma unroll
      for (int n = 0; n < ROW; n += 32 * WIDTH) {
        int e = n + threadIdx.x * WIDTH;
        __pipeline_memcpy_async(to + placeOf(e), row + max(0, min(strip + e, N - WIDTH)), 16);
      }
    } else {
#pragma unroll 1
      for (int e = threadIdx.x; e < ROW; e += 32) {
        __pipeline_memcpy_async(to + placeOf(e), row + max(0, min(strip + e, N - 1)), sizeof(REAL));
      }
    }
    to += ROW;
  }
}

// Stores a batch of rows, but for those outside of the block's and the halo.
template <bool ALIGNED>
__device__ void store(REAL* out, int N, int q, int begin, int end, int strip, const REAL* from) {
#pragma unroll 1
  for (int i = q; i < q + BATCH; ++i) {
    if (i >= begin && i < end) {
      REAL* row = out + i * N + strip;
      if (ALIGNED) {
#pragma unroll
        for (int n = 0; n < ROW; n += 32 * WIDTH) {
          int e = n + threadIdx.x * WIDTH;
          REAL v[WIDTH];
          get(from + placeOf(e), v);
          if (e >= HALO && e < HALO + STRIP && strip + e < N) { put(row + e, v); }
        }
      } else {
#pragma unroll 1
        for (int e = HALO + threadIdx.x; e < HALO + STRIP && strip + e < N; e += 32) { row[e] = from[placeOf(e)]; }
      }
    }
    from += ROW;
  }
}

// Gives the points at the border their value again. left, right: which of the thread's columns is the border of the
// grid, if one is.
template <bool ALIGNED>
__device__ void keep(int left, int right, bool row, REAL* to, const REAL* value) {
#pragma unroll
  for (int v = 0; v < COLUMNS; ++v) {
    bool isLeft = v == HALO % COLUMNS && v == left;
    bool isRight = (v == (HALO + COLUMNS - 1) % COLUMNS || !ALIGNED) && v == right;
    if (row || isLeft || isRight) { to[v] = value[v]; }
  }
}

// Lets a batch of rows arrive. With row q, step t gets row q - t of the step before: that completes `sum`, of row
// q - t - 1, and begins `later`, of row q - t + 1. SIDES, ENDS: columns, rows of the border may be in sight.
template <bool ALIGNED, bool SIDES, bool ENDS>
__device__ void steps(int q, int N, int left, int right, const REAL* from, REAL* to, REAL sum[SHARE][COLUMNS],
                      REAL later[SHARE][COLUMNS]) {
#pragma unroll 1
  for (int k = 0; k < BATCH; ++k) {
    REAL x[COLUMNS];
#pragma unroll
    for (int n = 0; n < COLUMNS; n += WIDTH) { get(from + k * ROW + 32 * n, x + n); }
#pragma unroll
    for (int t = 0; t < SHARE; ++t) {
      int i = q + k - t;
      REAL before = __shfl_up_sync(0xffffffff, x[COLUMNS - 1], 1);
      REAL behind = __shfl_down_sync(0xffffffff, x[0], 1);
      REAL done[COLUMNS];
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) { done[v] = sum[t][v] + c[4] * x[v]; }
      if (SIDES || ENDS) { keep<ALIGNED>(left, right, ENDS && (i <= 1 || i >= N), done, sum[t]); }
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
        REAL s = later[t][v] + c[0] * x[v];
        s += c[1] * (v > 0 ? x[v - 1] : before);
        s += c[2] * (v < COLUMNS - 1 ? x[v + 1] : behind);
        sum[t][v] = s;
        later[t][v] = c[3] * x[v];
      }
      if (SIDES || ENDS) { keep<ALIGNED>(left, right, ENDS && (i <= 0 || i >= N - 1), sum[t], x); }
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) { x[v] = done[v]; }
    }
#pragma unroll
    for (int n = 0; n < COLUMNS; n += WIDTH) { put(to + k * ROW + 32 * n, x + n); }
  }
}

template <bool ALIGNED>
__device__ void march(const REAL* in, REAL* out, int N, REAL* rows_s) {
  const int kBatch = BATCH * ROW;
  // By a shuffle the compiler learns that all lanes have the same part and so the same way through the program: it
  // keeps the weights in uniform registers, which all lanes share.
  int part = __shfl_sync(0xffffffff, threadIdx.y, 0);
  int strip = blockIdx.x * STRIP - HALO;  // its first column
  int begin = blockIdx.y * ROWS;
  int end = min(begin + ROWS, N);
  int first = max(begin - STEPS, 0);             // row that is loaded first
  int last = min(end + STEPS, N) - 1;            // and last
  int left = -strip - COLUMNS * int(threadIdx.x);
  int right = N - 1 + left;
  bool sides = strip <= 0 || strip + 32 * COLUMNS >= N;

  // Batches under way to the first warp; two between any two warps, of which one is written while the other is read;
  // one that the last warp stores.
  REAL* source = part == 0 ? rows_s : rows_s + (AHEAD + 2 * part - 2) * kBatch;
  REAL* target = rows_s + (AHEAD + 2 * part) * kBatch;
  int sources = part == 0 ? AHEAD : 2;

  REAL sum[SHARE][COLUMNS], later[SHARE][COLUMNS];
#pragma unroll
  for (int t = 0; t < SHARE; ++t) {
#pragma unroll
    for (int v = 0; v < COLUMNS; ++v) {
      sum[t][v] = 0;
      later[t][v] = 0;
    }
  }
  if (part == 0) {
    for (int a = 0; a < AHEAD; ++a) {
      load<ALIGNED>(in, N, first + a * BATCH, last, strip, source + a * kBatch);
      __pipeline_commit();
    }
  }

  // In each turn a warp lets the batch arrive that the warp before it has completed in the turn before.
  int batches = (end - first + STEPS + BATCH - 1) / BATCH;
#pragma unroll 1
  for (int turn = 0; turn < batches + PARTS - 1; ++turn) {
    int batch = turn - part;
    if (batch >= 0 && batch < batches) {
      int q = first + batch * BATCH - part * SHARE;
      if (part == 0) {
        __pipeline_wait_prior(AHEAD - 1);
        __syncwarp();  // each lane has copied values for others
      }
      REAL* slot = source + batch % sources * kBatch;
      const REAL* from = slot + threadIdx.x * WIDTH;
      REAL* to = (part < PARTS - 1 ? target + batch % 2 * kBatch : target) + threadIdx.x * WIDTH;
      // Code of its own for rows inside of the grid, so that they ask nothing about the border.
      if (q <= SHARE || q + BATCH >= N) {
        steps<ALIGNED, true, true>(q, N, left, right, from, to, sum, later);
      } else if (sides) {
        steps<ALIGNED, true, false>(q, N, left, right, from, to, sum, later);
      } else {
        steps<ALIGNED, false, false>(q, N, left, right, from, to, sum, later);
      }
      __syncwarp();
      if (part == 0) {
        load<ALIGNED>(in, N, first + (batch + AHEAD) * BATCH, last, strip, slot);
        __pipeline_commit();
      }
      if (part == PARTS - 1) {
        store<ALIGNED>(out, N, q - SHARE, max(begin, 1), min(end, N - 1), strip, target);
      }
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(32 * PARTS) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL rows_s[];
  if (N % COLUMNS == 0) {
    march<true>(in, out, N, rows_s);
  } else {
    march<false>(in, out, N, rows_s);
  }
}
