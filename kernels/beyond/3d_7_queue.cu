/* haloscope
title: 3D 7-point sweep, planes queue in registers
book: beyond the book; section 8.5 without shared memory
idea: A block marches along z and keeps its values of three planes in registers, so that a plane is read once as the middle and not again as its neighbours.
extends: beyond/3d_7_shuffle
order: 21
sizes:
  N: {default: 96, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  PLANES: {default: 6, min: 1, max: 64, meaning: planes per block}
requires: [32 % BLOCK_X == 0 || BLOCK_X % 32 == 0, BLOCK_X * BLOCK_Y % 32 == 0]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (4 * BLOCK_X)), ceil(N / BLOCK_Y), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 52 * PLANES / (16 * (3 * PLANES + 2) + 8 * PLANES / min(BLOCK_X, 32))
*/
#ifndef BLOCK_X
#define BLOCK_X 8
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
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);
  bool inside = j >= 1 && j < N - 1;
  // Left and right neighbours are in other lanes, but for those of the first and the last lane of a row.
  int lane = threadIdx.x % LANES;
  int beside = lane == 0 ? k - 1 : k + 4;
  bool outer = (lane == 0 || lane == LANES - 1) && k < N && beside >= 0 && beside < N;

  if (N % 4 == 0) {
    float4 before = load(in, N, begin - 1, j, k);
    float4 here = load(in, N, begin, j, k);
    for (int i = begin; i < end; ++i) {
      float4 behind = load(in, N, i + 1, j, k);
      float4 above = load(in, N, i, j - 1, k);
      float4 below = load(in, N, i, j + 1, k);
      float edge = 0;
      if (outer && inside) { edge = in[(i * N + j) * N + beside]; }
      float left = __shfl_up_sync(0xffffffff, here.w, 1, LANES);
      float right = __shfl_down_sync(0xffffffff, here.x, 1, LANES);
      if (lane == 0) { left = edge; }
      if (lane == LANES - 1) { right = edge; }
      float4 result;
      result.x = sum(here.x, left, here.y, above.x, below.x, before.x, behind.x);
      result.y = sum(here.y, here.x, here.z, above.y, below.y, before.y, behind.y);
      result.z = sum(here.z, here.y, here.w, above.z, below.z, before.z, behind.z);
      result.w = sum(here.w, here.z, right, above.w, below.w, before.w, behind.w);
      float* to = out + (i * N + j) * N + k;
      if (inside) {
        if (k > 0 && k + 4 < N) {
          *reinterpret_cast<float4*>(to) = result;
        } else if (k < N) {
          if (k > 0) { to[0] = result.x; }
          to[1] = result.y;
          to[2] = result.z;
          if (k + 4 < N) { to[3] = result.w; }
        }
      }
      before = here;
      here = behind;
    }
  } else if (inside) {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int x = max(k, 1); x < min(k + 4, N - 1); ++x) {
        const float* at = in + (i * N + j) * N + x;
        out[(i * N + j) * N + x] = sum(at[0], at[-1], at[1], at[-N], at[N], at[-N * N], at[N * N]);
      }
    }
  }
}
