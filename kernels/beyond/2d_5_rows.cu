/* haloscope
title: 2D 5-point sweep, rows in registers
book: beyond the book; extends section 8.4 to two dimensions
idea: A thread computes the columns of a vector in several rows, held in registers. It issues all its loads before the first sum, and takes left and right neighbours from other lanes.
extends: stencil/2d_5_basic
order: 1
sizes:
  N: {default: 256, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 2, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 4, min: 1, max: 8, meaning: rows per thread}
requires: [BLOCK_X % 32 == 0]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
op_per_byte: 144 / sizeof(REAL) * ROWS / (16 * (ROWS + 2) + ROWS * sizeof(REAL) / 16)
*/
#ifndef REAL
#define REAL float
#endif
#ifndef ROWS
#define ROWS 4
#endif
#define WIDTH int(16 / sizeof(REAL))  // values in a vector

__constant__ REAL c[5];

__device__ REAL sum(REAL here, REAL left, REAL right, REAL above, REAL below) {
  return c[0] * here + c[1] * left + c[2] * right + c[3] * above + c[4] * below;
}

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

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int lane = threadIdx.x % 32;
  int j = WIDTH * (blockIdx.x * blockDim.x + threadIdx.x);
  int i = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int beside = lane == 0 ? j - 1 : j + WIDTH;  // what the first and the last lane need from outside the warp
  bool outer = (lane == 0 || lane == 31) && j < N && beside >= 0 && beside < N;

  if (N % WIDTH == 0) {
    REAL row[ROWS + 2][WIDTH];  // rows i - 1 to i + ROWS
    REAL edge[ROWS];            // of column beside
    for (int r = 0; r < ROWS + 2; ++r) {
      for (int v = 0; v < WIDTH; ++v) { row[r][v] = 0; }
      if (i + r >= 1 && i + r <= N && j < N) { get(in + (i + r - 1) * N + j, row[r]); }
    }
    for (int r = 0; r < ROWS; ++r) {
      edge[r] = 0;
      if (outer && i + r < N) { edge[r] = in[(i + r) * N + beside]; }
    }
    for (int r = 0; r < ROWS; ++r) {
      REAL here[WIDTH + 2];  // left neighbour, own values, right neighbour
      here[0] = __shfl_up_sync(0xffffffff, row[r + 1][WIDTH - 1], 1);
      for (int v = 0; v < WIDTH; ++v) { here[v + 1] = row[r + 1][v]; }
      here[WIDTH + 1] = __shfl_down_sync(0xffffffff, row[r + 1][0], 1);
      if (lane == 0) { here[0] = edge[r]; }
      if (lane == 31) { here[WIDTH + 1] = edge[r]; }
      REAL result[WIDTH];
      for (int v = 0; v < WIDTH; ++v) {
        result[v] = sum(here[v + 1], here[v], here[v + 2], row[r][v], row[r + 2][v]);
      }
      REAL* to = out + (i + r) * N + j;
      if (i + r >= 1 && i + r < N - 1) {
        if (j > 0 && j + WIDTH < N) {
          put(to, result);
        } else {
          for (int v = 0; v < WIDTH; ++v) {
            if (j + v >= 1 && j + v < N - 1) { to[v] = result[v]; }
          }
        }
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int y = max(i, 1); y < min(i + ROWS, N - 1); ++y) {
      for (int x = max(j, 1); x < min(j + WIDTH, N - 1); ++x) {
        const REAL* at = in + y * N + x;
        out[y * N + x] = sum(at[0], at[-1], at[1], at[-N], at[N]);
      }
    }
  }
}
