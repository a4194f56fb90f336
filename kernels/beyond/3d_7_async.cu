/* haloscope
title: 3D 7-point sweep, asynchronous copies
book: beyond the book; extends section 8.5
idea: The block's tile of a plane is in shared memory, and asynchronous copies fill the tiles of the next planes while it computes; no thread waits for a load of its own.
extends: beyond/3d_7_queue
order: 27
sizes:
  N: {default: 48, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: threads per block along y}
  PLANES: {default: 12, min: 1, max: 128, meaning: planes per block}
  STAGES: {default: 2, min: 2, max: 8, meaning: tiles in shared memory}
precision: {macro: REAL, types: [float, double]}
requires: [16 * STAGES * (BLOCK_Y + 2) * (BLOCK_X + 2) <= 49152]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / BLOCK_Y), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 208 / sizeof(REAL) * BLOCK_X * BLOCK_Y * PLANES / (16 * ((PLANES + 2) * BLOCK_X * BLOCK_Y + 2 * PLANES * (BLOCK_X + BLOCK_Y)))
*/
#include <cuda_pipeline.h>

#ifndef REAL
#define REAL float
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef PLANES
#define PLANES 12
#endif
#ifndef STAGES
#define STAGES 2
#endif
#define WIDTH int(16 / sizeof(REAL))  // values in a vector

__constant__ REAL c[7];

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

// Copies the vector at row j of plane i, if it is in the grid.
__device__ void copy(const REAL* in, int N, int i, int j, int k, REAL* to) {
  if (i < N && j >= 0 && j < N && k >= 0 && k < N) { __pipeline_memcpy_async(to, in + (i * N + j) * N + k, 16); }
}

__global__ void stencil(const REAL* in, REAL* out, int N) {
  // The tile has a halo of one row above and below, and of one vector on each side.
  __shared__ __align__(16) REAL tile_s[STAGES][BLOCK_Y + 2][WIDTH * (BLOCK_X + 2)];
  int x = WIDTH * (threadIdx.x + 1);  // in the tile
  int y = threadIdx.y + 1;
  int k = WIDTH * (blockIdx.x * BLOCK_X + threadIdx.x);
  int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);

  if (N % WIDTH == 0) {
    REAL before[WIDTH], part[WIDTH];  // the point before; the sum of all terms but the one behind
    for (int v = 0; v < WIDTH; ++v) {
      before[v] = 0;
      part[v] = 0;
    }
    for (int p = begin - 1 - (STAGES - 1); p <= end; ++p) {
      // Plane p is there for all threads, and all have read plane p - 1, whose tile is free now.
      __pipeline_wait_prior(STAGES - 2);
      __syncthreads();
      int ahead = p + STAGES - 1;
      if (ahead <= end) {
        REAL(*tile)[WIDTH * (BLOCK_X + 2)] = tile_s[ahead % STAGES];
        copy(in, N, ahead, j, k, &tile[y][x]);
        bool halo = ahead >= begin && ahead < end;  // the planes before and behind serve their own columns only
        if (halo && threadIdx.y == 0) { copy(in, N, ahead, j - 1, k, &tile[0][x]); }
        if (halo && threadIdx.y == BLOCK_Y - 1) { copy(in, N, ahead, j + 1, k, &tile[y + 1][x]); }
        if (halo && threadIdx.x == 0) { copy(in, N, ahead, j, k - WIDTH, &tile[y][0]); }
        if (halo && threadIdx.x == BLOCK_X - 1) { copy(in, N, ahead, j, k + WIDTH, &tile[y][x + WIDTH]); }
      }
      __pipeline_commit();
      if (p >= begin - 1 && j >= 1 && j < N - 1 && k < N) {
        REAL(*tile)[WIDTH * (BLOCK_X + 2)] = tile_s[p % STAGES];
        REAL here[WIDTH], above[WIDTH], below[WIDTH], result[WIDTH];
        get(&tile[y][x], here);
        if (p > begin) {
          for (int v = 0; v < WIDTH; ++v) { result[v] = part[v] + c[6] * here[v]; }
          REAL* to = out + ((p - 1) * N + j) * N + k;
          // A column at the border of the grid keeps its value and is stored with its vector: without it each of the
          // others would be a request of its own.
          if (k == 0) { result[0] = before[0]; }
          if (k + WIDTH == N) { result[WIDTH - 1] = before[WIDTH - 1]; }
          put(to, result);
        }
        if (p >= begin && p < end) {
          get(&tile[y - 1][x], above);
          get(&tile[y + 1][x], below);
          for (int v = 0; v < WIDTH; ++v) {
            REAL left = v > 0 ? here[v - 1] : tile[y][x - 1];
            REAL right = v < WIDTH - 1 ? here[v + 1] : tile[y][x + WIDTH];
            part[v] = c[0] * here[v] + c[1] * left + c[2] * right + c[3] * above[v] + c[4] * below[v] + c[5] * before[v];
          }
        }
        for (int v = 0; v < WIDTH; ++v) { before[v] = here[v]; }
      }
    }
  } else if (j >= 1 && j < N - 1) {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int column = max(k, 1); column < min(k + WIDTH, N - 1); ++column) {
        const REAL* at = in + (i * N + j) * N + column;
        out[(i * N + j) * N + column] = c[0] * at[0] + c[1] * at[-1] + c[2] * at[1] + c[3] * at[-N] + c[4] * at[N] +
                                        c[5] * at[-N * N] + c[6] * at[N * N];
      }
    }
  }
}
