/* haloscope
title: 3D 7-point sweep, several steps at once as partial sums
book: beyond the book; extends section 8.5
idea: Each plane is added to the sums of the plane before it, of its own and of the plane behind it when it arrives, so a step keeps two sums a point instead of three planes. What other warps add to a plane may come one plane later.
extends: beyond/3d_7_time_async
order: 64
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  STEPS: {default: 2, min: 1, max: 8, meaning: time steps per launch}
  COLUMNS: {default: 2, min: 2, max: 4, meaning: columns per thread}
  ROWS: {default: 4, min: 1, max: 12, meaning: rows per thread}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: warps per block}
  AHEAD: {default: 2, min: 1, max: 4, meaning: planes under way}
  PLANES: {default: 8, min: 1, max: 512, meaning: planes per block}
precision: {macro: REAL, types: [float, double]}
requires: [COLUMNS != 3, ROWS * BLOCK_Y > 2 * STEPS, ROWS * COLUMNS <= 32]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: ["max(1, ceil((N - 2 * COLUMNS * ceil(STEPS / COLUMNS)) / (32 * COLUMNS - 2 * COLUMNS * ceil(STEPS / COLUMNS))))", "max(1, ceil((N - 2 * STEPS) / (ROWS * BLOCK_Y - 2 * STEPS)))", ceil(N / PLANES)]
  block: [32, BLOCK_Y, 1]
  dynamic_shared_bytes: (128 * STEPS + 32 * AHEAD * ROWS) * BLOCK_Y * COLUMNS * sizeof(REAL)
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 13 * STEPS / sizeof(REAL)
*/
#include <cuda_pipeline.h>

#ifndef REAL
#define REAL float
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define HALO ((STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)  // of columns: a whole number of threads
#define EDGES (BLOCK_Y * 2 * 32 * COLUMNS)                // of a plane: for each warp the rows above and below its own
#define SLOT (BLOCK_Y * ROWS * 32 * COLUMNS)              // of a plane under way

__constant__ REAL c[7];

// Two or four neighbouring columns.
__device__ void get(const float* from, float* v) {
  if (COLUMNS == 4) {
    float4 four = *reinterpret_cast<const float4*>(from);
    v[0] = four.x;
    v[1] = four.y;
    v[2] = four.z;
    v[3] = four.w;
  } else {
    float2 two = *reinterpret_cast<const float2*>(from);
    v[0] = two.x;
    v[1] = two.y;
  }
}
__device__ void get(const double* from, double* v) {
  for (int n = 0; n < COLUMNS; n += 2) {
    double2 two = *reinterpret_cast<const double2*>(from + n);
    v[n] = two.x;
    v[n + 1] = two.y;
  }
}
__device__ void put(float* to, const float* v) {
  if (COLUMNS == 4) {
    *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
  } else {
    *reinterpret_cast<float2*>(to) = make_float2(v[0], v[1]);
  }
}
__device__ void put(double* to, const double* v) {
  for (int n = 0; n < COLUMNS; n += 2) { *reinterpret_cast<double2*>(to + n) = make_double2(v[n], v[n + 1]); }
}

// Where a block is in its column of planes, and where its thread is in the grid.
struct Place {
  int q, last;              // plane that arrives next; last one that is loaded
  int begin, end;           // planes that are stored
  int j, k;                 // first row, first column
  unsigned keeps, stores;   // a bit for each point at the border of the grid; for each row that this tile stores
  const REAL* from;         // plane that is loaded next
  REAL* to;                 // plane that is stored next
  REAL *slots, *next;       // the thread's slots for planes under way; the one read next
  const REAL *above, *below;  // rows of other warps beside the thread's
  REAL *toAbove, *toBelow;  // where other warps read the thread's first and last row
  int here;                 // which half of the edge rows is read: they belong to the planes of the turn before
};

// Begins to copy the thread's part of a plane, whose rows are at these places. ALIGNED: rows begin at multiples of the thread's columns.
template <bool ALIGNED>
__device__ void copy(const Place& p, int N, const int* at) {
  const int kBytes = COLUMNS * sizeof(REAL) > 16 ? 16 : COLUMNS * sizeof(REAL);  // at a time
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (ALIGNED) {
      for (int n = 0; n < COLUMNS; n += kBytes / sizeof(REAL)) {
        __pipeline_memcpy_async(p.next + r * 32 * COLUMNS + n, p.from + at[r] + n, kBytes);
      }
    } else {
#pragma unroll 1
      for (int n = 0; n < COLUMNS; ++n) {
        __pipeline_memcpy_async(p.next + r * 32 * COLUMNS + n, p.from + at[r] + min(n, max(N - 1 - p.k, 0)), sizeof(REAL));
      }
    }
  }
}

// Stores a row with the columns at the border of the grid, which keep their value: without them each of the others
// would be a request of its own.
template <bool ALIGNED>
__device__ void store(REAL* to, int N, int k, const REAL* result) {
  if (ALIGNED) {
    put(to, result);
  } else {
    for (int v = 0; v < COLUMNS; ++v) {
      if (k + v < N) { to[v] = result[v]; }
    }
  }
}

// Lets plane p.q arrive at all steps, step t at plane p.q - t of the step before: that completes `sum`, of plane
// p.q - t - 1, and begins `later`, of plane p.q - t + 1. x: plane p.q, then results. BORDER: points may be at the border.
template <bool BORDER>
__device__ void steps(const Place& p, int N, REAL x[ROWS][COLUMNS], REAL sum[STEPS][ROWS][COLUMNS],
                      REAL later[STEPS][ROWS][COLUMNS]) {
  const int there = STEPS * EDGES - p.here;
  REAL up[COLUMNS], down[COLUMNS];
  get(p.above + p.here, up);
  get(p.below + p.here, down);
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
    int i = p.q - t;
    unsigned kept = i <= 1 || i >= N ? ~0u : p.keeps;       // of plane i - 1
    unsigned keeps = i <= 0 || i >= N - 1 ? ~0u : p.keeps;  // of plane i
    REAL nextUp[COLUMNS], nextDown[COLUMNS];
    if (t + 1 < STEPS) {
      get(p.above + p.here + (t + 1) * EDGES, nextUp);
      get(p.below + p.here + (t + 1) * EDGES, nextDown);
    }
    put(p.toAbove + there + t * EDGES, x[0]);
    put(p.toBelow + there + t * EDGES, x[ROWS - 1]);
    REAL done[ROWS][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      REAL left = __shfl_up_sync(0xffffffff, x[r][COLUMNS - 1], 1);
      REAL right = __shfl_down_sync(0xffffffff, x[r][0], 1);
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
        REAL s = sum[t][r][v];
        if (r == 0) { s += c[3] * up[v]; }
        if (r == ROWS - 1) { s += c[4] * down[v]; }
        s += c[6] * x[r][v];
        if (BORDER && (kept >> (r * COLUMNS + v) & 1)) { s = sum[t][r][v]; }
        done[r][v] = s;
        s = later[t][r][v] + c[0] * x[r][v];
        s += c[1] * (v > 0 ? x[r][v - 1] : left);
        s += c[2] * (v < COLUMNS - 1 ? x[r][v + 1] : right);
        if (r > 0) { s += c[3] * x[r - 1][v]; }
        if (r < ROWS - 1) { s += c[4] * x[r + 1][v]; }
        if (BORDER && (keeps >> (r * COLUMNS + v) & 1)) { s = x[r][v]; }
        sum[t][r][v] = s;
        later[t][r][v] = c[5] * x[r][v];
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) { x[r][v] = done[r][v]; }
    }
#pragma unroll
    for (int v = 0; v < COLUMNS; ++v) {
      up[v] = nextUp[v];
      down[v] = nextDown[v];
    }
  }
}

// Lets the planes before plane `stop` arrive.
template <bool ALIGNED, bool BORDER>
__device__ void planes(Place& p, int stop, int N, const int* at, REAL sum[STEPS][ROWS][COLUMNS],
                       REAL later[STEPS][ROWS][COLUMNS]) {
#pragma unroll 1
  for (; p.q < stop; ++p.q) {
    REAL x[ROWS][COLUMNS];
    __pipeline_wait_prior(AHEAD - 1);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) { get(p.next + r * 32 * COLUMNS, x[r]); }
    if (p.q + AHEAD <= p.last) { copy<ALIGNED>(p, N, at); }
    p.from += N * N;
    __pipeline_commit();
    p.next = p.next < p.slots + (AHEAD - 1) * SLOT ? p.next + SLOT : p.slots;
    steps<BORDER>(p, N, x, sum, later);
    p.here = STEPS * EDGES - p.here;
    int i = p.q - STEPS;
    if (i >= p.begin && i < p.end) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        if (p.stores >> r & 1) { store<ALIGNED>(p.to + at[r], N, p.k, x[r]); }
      }
      p.to += N * N;
    }
    __syncthreads();
  }
}

template <bool ALIGNED>
__device__ void march(const REAL* in, REAL* out, int N, REAL* edges_s) {
  // Tiles begin at the border of the grid, which needs no halo, and overlap by two halos.
  const int kWarp = 2 * 32 * COLUMNS, kTile = ROWS * BLOCK_Y;
  int w = threadIdx.y;
  int x = COLUMNS * threadIdx.x;                       // in the tile
  int row = blockIdx.y * (kTile - 2 * STEPS);          // first one of the tile
  int column = blockIdx.x * (32 * COLUMNS - 2 * HALO);  // first one of the tile
  int begin = blockIdx.z * PLANES;
  int end = min(begin + PLANES, N);
  Place p;
  p.q = max(begin - STEPS, 0);
  p.last = min(end + STEPS, N) - 1;
  p.begin = max(begin, 1);
  p.end = min(end, N - 1);
  p.j = row + ROWS * w;
  p.k = column + x;
  int at[ROWS];  // of each row in a plane; beyond the grid the nearest values: no result depends on them
  p.keeps = 0;
  p.stores = 0;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    int j = p.j + r;
    at[r] = min(j, N - 1) * N + (ALIGNED ? min(p.k, N - COLUMNS) : min(p.k, N - 1));
    bool inner = (j >= row + STEPS || row == 0) && (j < row + kTile - STEPS || row + kTile >= N) &&
                 (x >= HALO || column == 0) && (x < 32 * COLUMNS - HALO || column + 32 * COLUMNS >= N);
    if (inner && j >= 1 && j < N - 1 && p.k < N) { p.stores |= 1u << r; }
    for (int v = 0; v < COLUMNS; ++v) {
      if (j < 1 || j >= N - 1 || p.k + v < 1 || p.k + v >= N - 1) { p.keeps |= 1u << (r * COLUMNS + v); }
    }
  }
  p.from = in + p.q * N * N;
  p.to = out + p.begin * N * N;
  p.slots = edges_s + 2 * STEPS * EDGES + w * ROWS * 32 * COLUMNS + x;
  p.next = p.slots;
  p.above = edges_s + w * kWarp + x;
  p.below = p.above + 32 * COLUMNS;
  p.toAbove = edges_s + (w > 0 ? (w - 1) * kWarp + 32 * COLUMNS : 0) + x;  // the outer warps to places of their own
  p.toBelow = edges_s + (w < BLOCK_Y - 1 ? (w + 1) * kWarp : w * kWarp + 32 * COLUMNS) + x;
  p.here = 0;

  REAL sum[STEPS][ROWS][COLUMNS], later[STEPS][ROWS][COLUMNS];
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
        sum[t][r][v] = 0;
        later[t][r][v] = 0;
      }
    }
    put(p.toAbove + t * EDGES, sum[t][0]);
    put(p.toBelow + t * EDGES, sum[t][0]);
  }
  for (int a = 0; a < AHEAD; ++a) {
    if (p.q + a <= p.last) { copy<ALIGNED>(p, N, at); }
    p.from += N * N;
    p.next += SLOT;
    __pipeline_commit();
  }
  p.next = p.slots;
  __syncthreads();

  // Loops of their own, so that the points inside of the grid ask nothing about the border. All threads of the block
  // are in the same loop: each plane has a barrier.
  int stop = end + STEPS;
  if (begin <= STEPS) { planes<ALIGNED, true>(p, min(stop, STEPS + 1), N, at, sum, later); }
  bool inside = row > 0 && row + kTile < N && column > 0 && column + 32 * COLUMNS < N;
  if (inside) { planes<ALIGNED, false>(p, min(stop, N - 1), N, at, sum, later); }
  planes<ALIGNED, true>(p, stop, N, at, sum, later);
}

__global__ void __launch_bounds__(32 * BLOCK_Y) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL edges_s[];  // edge rows of two planes of each step, then slots
  if (N % COLUMNS == 0) {
    march<true>(in, out, N, edges_s);
  } else {
    march<false>(in, out, N, edges_s);
  }
}
