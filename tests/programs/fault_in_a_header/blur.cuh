#pragma once

template <int R>
__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -R; k <= R; ++k) sum += in[i + k];  // finds: out-of-bounds
  if (i < n) out[i] = sum / (2 * R + 1);
}
