/* haloscope
title: 3D 7-point sweep, several steps at once in registers
book: beyond the book; extends section 8.5
idea: The time steps march along z together, each one plane behind the step before it, and their planes stay in registers; only edge rows go to other warps, through shared memory.
extends: beyond/3d_7_two_steps
order: 61
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  STEPS: {default: 2, min: 1, max: 4, meaning: time steps per launch}
  COLUMNS: {default: 2, min: 2, max: 4, meaning: columns per thread}
  ROWS: {default: 4, min: 1, max: 6, meaning: rows per thread}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: warps per block}
  PLANES: {default: 8, min: 1, max: 128, meaning: planes per block}
  AHEAD: {default: 1, min: 1, max: 3, meaning: planes loaded ahead}
precision: {macro: REAL, types: [float, double]}
requires: [COLUMNS != 3, ROWS * BLOCK_Y > 2 * STEPS]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (32 * COLUMNS - 2 * COLUMNS * ceil(STEPS / COLUMNS))), ceil(N / (ROWS * BLOCK_Y - 2 * STEPS)), ceil(N / PLANES)]
  block: [32, BLOCK_Y, 1]
  dynamic_shared_bytes: 128 * STEPS * BLOCK_Y * COLUMNS * sizeof(REAL)
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 13 * STEPS / sizeof(REAL)
*/
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
#define AHEAD 1
#endif
#define HALO ((STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)  // of columns: a whole number of threads

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

// Loads the thread's part of plane i; zeros outside the grid, which a tile at its border reaches.
__device__ __forceinline__ void load(const REAL* in, int N, int i, int j, int k, bool border, REAL v[ROWS][COLUMNS]) {
  for (int r = 0; r < ROWS; ++r) {
    const REAL* from = in + (i * N + j + r) * N + k;
    if (border) {
      bool row = i >= 0 && i < N && j + r >= 0 && j + r < N;
      for (int n = 0; n < COLUMNS; ++n) { v[r][n] = 0; }
      if (N % COLUMNS == 0) {
        if (row && k >= 0 && k < N) { get(from, v[r]); }
      } else {  // rows do not begin at multiples of a vector
        for (int n = 0; n < COLUMNS; ++n) {
          if (row && k + n >= 0 && k + n < N) { v[r][n] = from[n]; }
        }
      }
    } else {
      get(from, v[r]);
    }
  }
}

// Where a warp's first row (side 0) or last row (side 1) is.
__device__ int edge(int one, int t, int w, int side) {
  return (((one * STEPS + t) * BLOCK_Y + w) * 2 + side) * 32 * COLUMNS;
}

// Is compiled twice: only in a tile at the border of the grid are there points that keep their value.
__device__ __forceinline__ void march(const REAL* in, REAL* out, int N, REAL* edges_s, int j, int k, int begin, int end,
                                      bool border) {
  int w = threadIdx.y;
  int x = COLUMNS * threadIdx.x;  // in the tile
  // Step t takes values of plane q - t, and with those of the two planes before computes plane q - t - 1.
  REAL before[STEPS][ROWS][COLUMNS], here[STEPS][ROWS][COLUMNS], ahead[AHEAD][ROWS][COLUMNS];
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < COLUMNS; ++v) {
        before[t][r][v] = 0;
        here[t][r][v] = 0;
      }
    }
    put(edges_s + edge(0, t, w, 0) + x, here[t][0]);
    put(edges_s + edge(0, t, w, 1) + x, here[t][0]);
  }
#pragma unroll
  for (int a = 0; a < AHEAD; ++a) { load(in, N, begin - STEPS + a, j, k, border, ahead[a]); }
  __syncthreads();

  for (int q = begin - STEPS; q < end + STEPS; ++q) {
    int one = (q + STEPS - begin) % 2;  // where the edge rows of planes q - t - 1 are
    REAL next[ROWS][COLUMNS];
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < COLUMNS; ++v) {
        next[r][v] = ahead[0][r][v];
        for (int a = 0; a < AHEAD - 1; ++a) { ahead[a][r][v] = ahead[a + 1][r][v]; }
      }
    }
    if (q + AHEAD < end + STEPS) { load(in, N, q + AHEAD, j, k, border, ahead[AHEAD - 1]); }
#pragma unroll
    for (int t = 0; t < STEPS; ++t) {
      put(edges_s + edge(1 - one, t, w, 0) + x, next[0]);
      put(edges_s + edge(1 - one, t, w, 1) + x, next[ROWS - 1]);
      REAL column[ROWS + 2][COLUMNS];  // of plane q - t - 1, with a row of the warps before and behind
      get(edges_s + edge(one, t, max(w - 1, 0), 1) + x, column[0]);
      get(edges_s + edge(one, t, min(w + 1, BLOCK_Y - 1), 0) + x, column[ROWS + 1]);
      for (int r = 0; r < ROWS; ++r) {
        for (int v = 0; v < COLUMNS; ++v) { column[r + 1][v] = here[t][r][v]; }
      }
      int i = q - t - 1;
      bool inner = i >= 1 && i < N - 1;
      for (int r = 0; r < ROWS; ++r) {
        REAL row[COLUMNS + 2];  // left neighbour, own values, right neighbour
        row[0] = __shfl_up_sync(0xffffffff, here[t][r][COLUMNS - 1], 1);
        for (int v = 0; v < COLUMNS; ++v) { row[v + 1] = here[t][r][v]; }
        row[COLUMNS + 1] = __shfl_down_sync(0xffffffff, here[t][r][0], 1);
        bool innerRow = inner && j + r >= 1 && j + r < N - 1;
        for (int v = 0; v < COLUMNS; ++v) {
          REAL sum = c[0] * row[v + 1] + c[1] * row[v] + c[2] * row[v + 2] + c[3] * column[r][v] +
                     c[4] * column[r + 2][v] + c[5] * before[t][r][v] + c[6] * next[r][v];
          before[t][r][v] = here[t][r][v];
          here[t][r][v] = next[r][v];
          next[r][v] = sum;
          if (border && !(innerRow && k + v >= 1 && k + v < N - 1)) { next[r][v] = row[v + 1]; }  // keeps its value
        }
      }
    }
    int i = q - STEPS;
    for (int r = 0; r < ROWS; ++r) {
      int row = ROWS * w + r;  // in the tile, whose halo other blocks store
      if (i >= max(begin, 1) && i < min(end, N - 1) && row >= STEPS && row < ROWS * BLOCK_Y - STEPS && j + r >= 1 &&
          j + r < N - 1 && x >= HALO && x < 32 * COLUMNS - HALO) {
        REAL* to = out + (i * N + j + r) * N + k;
        if (!border || (N % COLUMNS == 0 && k >= 1 && k + COLUMNS < N)) {
          put(to, next[r]);
        } else {
          for (int v = 0; v < COLUMNS; ++v) {
            if (k + v >= 1 && k + v < N - 1) { to[v] = next[r][v]; }
          }
        }
      }
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(32 * BLOCK_Y) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL edges_s[];  // of two planes of each step: first and last row of each warp

  int k = blockIdx.x * (32 * COLUMNS - 2 * HALO) - HALO;
  int j = blockIdx.y * (ROWS * BLOCK_Y - 2 * STEPS) - STEPS;
  int begin = blockIdx.z * PLANES;
  int end = min(begin + PLANES, N);
  bool border = N % COLUMNS != 0 || k < 1 || k + 32 * COLUMNS >= N || j < 1 || j + ROWS * BLOCK_Y >= N ||
                begin - STEPS < 1 || end + STEPS >= N;
  j += ROWS * threadIdx.y;
  k += COLUMNS * threadIdx.x;
  if (border) {
    march(in, out, N, edges_s, j, k, begin, end, true);
  } else {
    march(in, out, N, edges_s, j, k, begin, end, false);
  }
}
