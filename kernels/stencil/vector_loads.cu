/* haloscope
title: Four points per thread, vector loads
book: PMPP 4e, section 8.4, coarsened along x with vector loads; beyond the book
idea: A thread computes four neighbouring points and reads each row four values at a time, so a warp makes a quarter of the requests for the same sectors.
extends: stencil/basic
order: 5
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 2, min: 1, max: 64, meaning: threads per block along z}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (4 * BLOCK_X)), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 13 * 4 / ((5 * 4 + 2) * 4)
*/
__constant__ float c[7];

__device__ float sum(float here, float left, float right, float above, float below, float before, float behind) {
  return c[0] * here + c[1] * left + c[2] * right + c[3] * above + c[4] * below + c[5] * before + c[6] * behind;
}

__global__ void stencil(const float* in, float* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k < N) {
    const float* at = in + (i * N + j) * N + k;
    float* to = out + (i * N + j) * N + k;
    if (N % 4 == 0) {
      const float4* vectors = reinterpret_cast<const float4*>(at);
      float4 here = vectors[0];
      float4 above = vectors[-N / 4];
      float4 below = vectors[N / 4];
      float4 before = vectors[-N * N / 4];
      float4 behind = vectors[N * N / 4];
      float left = at[-1];  // at the ends of a row these two are of other rows, and not used
      float right = at[4];
      float4 result;
      result.x = sum(here.x, left, here.y, above.x, below.x, before.x, behind.x);
      result.y = sum(here.y, here.x, here.z, above.y, below.y, before.y, behind.y);
      result.z = sum(here.z, here.y, here.w, above.z, below.z, before.z, behind.z);
      result.w = sum(here.w, here.z, right, above.w, below.w, before.w, behind.w);
      if (k > 0 && k + 4 < N) {
        *reinterpret_cast<float4*>(to) = result;
      } else {
        if (k > 0) to[0] = result.x;
        to[1] = result.y;
        to[2] = result.z;
        if (k + 4 < N) to[3] = result.w;
      }
    } else {  // rows do not begin at multiples of 16 bytes
      for (int x = max(k, 1); x < min(k + 4, N - 1); ++x) {
        const float* one = at + x - k;
        to[x - k] = sum(one[0], one[-1], one[1], one[-N], one[N], one[-N * N], one[N * N]);
      }
    }
  }
}
