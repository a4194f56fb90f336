/* haloscope
title: 2D 5-point sweep, rows in registers
book: beyond the book; extends section 8.4 to two dimensions
idea: A thread computes four columns of several rows from vectors in registers. It issues all its loads before the first sum, and takes left and right neighbours from other lanes.
extends: stencil/2d_5_basic
order: 1
sizes:
  N: {default: 256, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 64, min: 32, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 2, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 4, min: 1, max: 8, meaning: rows per thread}
requires: [BLOCK_X % 32 == 0]
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / (4 * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
op_per_byte: 9 * 4 * ROWS / ((4 * (ROWS + 2) + ROWS / 16) * 4)
*/
#ifndef ROWS
#define ROWS 4
#endif

__constant__ float c[5];

__device__ float sum(float here, float left, float right, float above, float below) {
  return c[0] * here + c[1] * left + c[2] * right + c[3] * above + c[4] * below;
}

__global__ void stencil(const float* in, float* out, int N) {
  int lane = threadIdx.x % 32;
  int j = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int i = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int beside = lane == 0 ? j - 1 : j + 4;  // the column that the first and the last lane need from outside the warp
  bool outer = (lane == 0 || lane == 31) && j < N && beside >= 0 && beside < N;

  if (N % 4 == 0) {
    float4 row[ROWS + 2];  // rows i - 1 to i + ROWS
    float edge[ROWS];      // of column beside
    for (int r = 0; r < ROWS + 2; ++r) {
      row[r] = make_float4(0, 0, 0, 0);
      if (i + r >= 1 && i + r <= N && j < N) { row[r] = *reinterpret_cast<const float4*>(in + (i + r - 1) * N + j); }
    }
    for (int r = 0; r < ROWS; ++r) {
      edge[r] = 0;
      if (outer && i + r < N) { edge[r] = in[(i + r) * N + beside]; }
    }
    for (int r = 0; r < ROWS; ++r) {
      float4 here = row[r + 1];
      float left = __shfl_up_sync(0xffffffff, here.w, 1);
      float right = __shfl_down_sync(0xffffffff, here.x, 1);
      if (lane == 0) { left = edge[r]; }
      if (lane == 31) { right = edge[r]; }
      float4 result;
      result.x = sum(here.x, left, here.y, row[r].x, row[r + 2].x);
      result.y = sum(here.y, here.x, here.z, row[r].y, row[r + 2].y);
      result.z = sum(here.z, here.y, here.w, row[r].z, row[r + 2].z);
      result.w = sum(here.w, here.z, right, row[r].w, row[r + 2].w);
      float* to = out + (i + r) * N + j;
      if (i + r >= 1 && i + r < N - 1) {
        if (j > 0 && j + 4 < N) {
          *reinterpret_cast<float4*>(to) = result;
        } else if (j < N) {
          if (j > 0) { to[0] = result.x; }
          to[1] = result.y;
          to[2] = result.z;
          if (j + 4 < N) { to[3] = result.w; }
        }
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int y = max(i, 1); y < min(i + ROWS, N - 1); ++y) {
      for (int x = max(j, 1); x < min(j + 4, N - 1); ++x) {
        const float* at = in + y * N + x;
        out[y * N + x] = sum(at[0], at[-1], at[1], at[-N], at[N]);
      }
    }
  }
}
