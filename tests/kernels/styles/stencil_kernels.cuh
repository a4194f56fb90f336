#pragma once
// The kernels of kernels_in_a_header.cu.
#include "stencil_helpers.h"

__global__ void blur(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = CENTRE * in[y * width + x] + side(in, x, y, width, height);
}

template <int RADIUS>
__global__ void conv_line(const float* in, const float* mask, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (i + k >= 0 && i + k < n) sum += mask[k + RADIUS] * in[i + k];
  out[i] = sum;
}
