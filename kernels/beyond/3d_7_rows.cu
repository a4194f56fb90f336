/* haloscope
title: 3D 7-point sweep, several rows per thread
book: beyond the book; extends section 8.5
idea: A thread computes several rows, and most rows above and below are its own registers.
extends: beyond/3d_7_queue
order: 22
sizes:
  N: {default: 96, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 6, min: 1, max: 64, meaning: planes per block}
requires: [32 % BLOCK_X == 0 || BLOCK_X % 32 == 0, BLOCK_X * BLOCK_Y % 32 == 0]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (4 * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 52 * ROWS * PLANES / (16 * (ROWS * (PLANES + 2) + 2 * PLANES) + 8 * ROWS * PLANES / min(BLOCK_X, 32))
*/
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef PLANES
#define PLANES 6
#endif
#define LANES (BLOCK_X < 32 ? BLOCK_X : 32)  // of a warp, side by side in one row

__constant__ float c[7];

__device__ float sum(float here, float left, float right, float above, float below, float before, float behind) {
  return c[0] * here + c[1] * left + c[2] * right + c[3] * above + c[4] * below + c[5] * before + c[6] * behind;
}

// Four values of row j of plane i, zero outside the grid.
__device__ float4 load(const float* in, int N, int i, int j, int k) {
  bool inside = i < N && j >= 0 && j < N && k < N;
  return inside ? *reinterpret_cast<const float4*>(in + (i * N + j) * N + k) : make_float4(0, 0, 0, 0);
}

__global__ void stencil(const float* in, float* out, int N) {
  int k = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int j = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);
  // Left and right neighbours are in other lanes, but for those of the first and the last lane of a row.
  int lane = threadIdx.x % LANES;
  int beside = lane == 0 ? k - 1 : k + 4;
  bool outer = (lane == 0 || lane == LANES - 1) && k < N && beside >= 0 && beside < N;

  if (N % 4 == 0) {
    float4 before[ROWS], here[ROWS], behind[ROWS];  // of planes i - 1, i and i + 1
    for (int r = 0; r < ROWS; ++r) {
      before[r] = load(in, N, begin - 1, j + r, k);
      here[r] = load(in, N, begin, j + r, k);
    }
    for (int i = begin; i < end; ++i) {
      float edge[ROWS];
      float4 first = load(in, N, i, j - 1, k);
      float4 last = load(in, N, i, j + ROWS, k);
      for (int r = 0; r < ROWS; ++r) {
        behind[r] = load(in, N, i + 1, j + r, k);
        edge[r] = 0;
        if (outer && j + r < N) { edge[r] = in[(i * N + j + r) * N + beside]; }
      }
      for (int r = 0; r < ROWS; ++r) {
        float4 at = here[r];
        float4 above = r > 0 ? here[r - 1] : first;
        float4 below = r < ROWS - 1 ? here[r + 1] : last;
        float left = __shfl_up_sync(0xffffffff, at.w, 1, LANES);
        float right = __shfl_down_sync(0xffffffff, at.x, 1, LANES);
        if (lane == 0) { left = edge[r]; }
        if (lane == LANES - 1) { right = edge[r]; }
        float4 result;
        result.x = sum(at.x, left, at.y, above.x, below.x, before[r].x, behind[r].x);
        result.y = sum(at.y, at.x, at.z, above.y, below.y, before[r].y, behind[r].y);
        result.z = sum(at.z, at.y, at.w, above.z, below.z, before[r].z, behind[r].z);
        result.w = sum(at.w, at.z, right, above.w, below.w, before[r].w, behind[r].w);
        float* to = out + (i * N + j + r) * N + k;
        if (j + r >= 1 && j + r < N - 1) {
          if (k > 0 && k + 4 < N) {
            *reinterpret_cast<float4*>(to) = result;
          } else if (k < N) {
            if (k > 0) { to[0] = result.x; }
            to[1] = result.y;
            to[2] = result.z;
            if (k + 4 < N) { to[3] = result.w; }
          }
        }
      }
      for (int r = 0; r < ROWS; ++r) {
        before[r] = here[r];
        here[r] = behind[r];
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, 1); y < min(j + ROWS, N - 1); ++y) {
        for (int x = max(k, 1); x < min(k + 4, N - 1); ++x) {
          const float* at = in + (i * N + y) * N + x;
          out[(i * N + y) * N + x] = sum(at[0], at[-1], at[1], at[-N], at[N], at[-N * N], at[N * N]);
        }
      }
    }
  }
}
