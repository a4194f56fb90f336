/* haloscope
title: 2D 5-point sweep, several steps at once in registers
book: beyond the book; extends section 8.5
idea: The time steps march down a strip of columns together, each one row behind the step before it. Neighbours in a row come from other lanes, so the steps need neither shared memory nor barriers.
extends: beyond/2d_5_rows
order: 2
sizes:
  N: {default: 128, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  STEPS: {default: 4, min: 1, max: 16, meaning: time steps per launch}
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block}
  ROWS: {default: 32, min: 1, max: 512, meaning: rows per block}
  AHEAD: {default: 2, min: 1, max: 4, meaning: rows loaded ahead}
requires: [BLOCK_X % 32 == 0, 2 * ceil(STEPS * sizeof(REAL) / 16) < 32]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / (BLOCK_X / 32 * 16 / sizeof(REAL) * (32 - 2 * ceil(STEPS * sizeof(REAL) / 16)))), ceil(N / ROWS), 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 9 * STEPS / sizeof(REAL)
*/
#ifndef REAL
#define REAL float
#endif
#ifndef STEPS
#define STEPS 4
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define WIDTH int(16 / sizeof(REAL))                // values in a vector
#define HALO ((STEPS + WIDTH - 1) / WIDTH * WIDTH)  // of columns: a whole number of lanes
#define STRIP (32 * WIDTH - 2 * HALO)               // columns that a warp stores

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
__device__ void put(double* to, const double* v) {
  *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]);
}

// Loads the thread's part of row i, zeros outside the grid.
__device__ void load(const REAL* in, int N, int i, int j, REAL* v) {
  bool row = i >= 0 && i < N;
  for (int n = 0; n < WIDTH; ++n) { v[n] = 0; }
  if (N % WIDTH == 0) {
    if (row && j >= 0 && j < N) { get(in + i * N + j, v); }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int n = 0; n < WIDTH; ++n) {
      if (row && j + n >= 0 && j + n < N) { v[n] = in[i * N + j + n]; }
    }
  }
}

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int lane = threadIdx.x % 32;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int j = warp * STRIP - HALO + WIDTH * lane;
  int begin = blockIdx.y * ROWS;
  int end = min(begin + ROWS, N);

  // Step t takes values of row q - t, and with those of the two rows before computes row q - t - 1.
  REAL before[STEPS][WIDTH], here[STEPS][WIDTH], ahead[AHEAD][WIDTH];
  for (int v = 0; v < WIDTH; ++v) {
    for (int t = 0; t < STEPS; ++t) {
      before[t][v] = 0;
      here[t][v] = 0;
    }
  }
  for (int a = 0; a < AHEAD; ++a) { load(in, N, begin - STEPS + a, j, ahead[a]); }

  for (int q = begin - STEPS; q < end + STEPS; ++q) {
    REAL next[WIDTH];
    for (int v = 0; v < WIDTH; ++v) {
      next[v] = ahead[0][v];
      for (int a = 0; a < AHEAD - 1; ++a) { ahead[a][v] = ahead[a + 1][v]; }
    }
    int newest = q + AHEAD;
    if (newest >= end + STEPS) { newest = -1; }  // the strip needs no more rows
    load(in, N, newest, j, ahead[AHEAD - 1]);

#pragma unroll
    for (int t = 0; t < STEPS; ++t) {
      int i = q - t - 1;
      REAL row[WIDTH + 2];  // left neighbour, own values, right neighbour
      row[0] = __shfl_up_sync(0xffffffff, here[t][WIDTH - 1], 1);
      for (int v = 0; v < WIDTH; ++v) { row[v + 1] = here[t][v]; }
      row[WIDTH + 1] = __shfl_down_sync(0xffffffff, here[t][0], 1);
      for (int v = 0; v < WIDTH; ++v) {
        REAL sum = c[0] * row[v + 1] + c[1] * row[v] + c[2] * row[v + 2] + c[3] * before[t][v] + c[4] * next[v];
        before[t][v] = here[t][v];
        here[t][v] = next[v];
        next[v] = row[v + 1];  // the border keeps its value
        if (i >= 1 && i < N - 1 && j + v >= 1 && j + v < N - 1) { next[v] = sum; }
      }
    }

    int i = q - STEPS;
    bool own = WIDTH * lane >= HALO && WIDTH * lane < HALO + STRIP;
    if (own && i >= max(begin, 1) && i < min(end, N - 1)) {
      if (N % WIDTH == 0 && j > 0 && j + WIDTH < N) {
        put(out + i * N + j, next);
      } else {
        for (int v = 0; v < WIDTH; ++v) {
          if (j + v >= 1 && j + v < N - 1) { out[i * N + j + v] = next[v]; }
        }
      }
    }
  }
}
