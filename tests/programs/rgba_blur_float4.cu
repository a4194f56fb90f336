// expects: exited 0
// expects: launches 1
// expects: prints max diff
// Pixels of four channels, a vector each, filtered by a separable window in shared memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

constexpr int R = 3, T = 32;
__constant__ float g_weights[2 * R + 1];

__device__ inline float4 operator*(float s, float4 v) { return make_float4(s * v.x, s * v.y, s * v.z, s * v.w); }
__device__ inline float4& operator+=(float4& a, float4 b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  a.w += b.w;
  return a;
}

__global__ void blur_rows(const float4* __restrict__ in, float4* __restrict__ out, int width) {  // matches: blur_rows_reference
  __shared__ float4 row[T + 2 * R];
  const int y = blockIdx.y, x0 = blockIdx.x * T;
  for (int i = threadIdx.x; i < T + 2 * R; i += T) {
    const int x = min(max(x0 - R + i, 0), width - 1);
    row[i] = in[y * width + x];
  }
  __syncthreads();
  const int x = x0 + threadIdx.x;
  if (x >= width) return;
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
  for (int k = 0; k <= 2 * R; ++k) sum += g_weights[k] * row[threadIdx.x + k];
  out[y * width + x] = sum;
}

void blur_rows_reference(const float* in, const float* weights, float* out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c) {
        float sum = 0;
        for (int k = -R; k <= R; ++k) {
          const int at = std::min(std::max(x + k, 0), width - 1);
          sum += weights[k + R] * in[4 * (y * width + at) + c];
        }
        out[4 * (y * width + x) + c] = sum;
      }
}

int main() {
  const int width = 75, height = 9;
  std::vector<float> weights{0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};
  std::vector<float> in(4 * width * height), out(in.size()), expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float((i * 7919) % 255) / 255.0f;
  float4 *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, in.size() * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(g_weights, weights.data(), weights.size() * sizeof(float));
  blur_rows<<<dim3((width + T - 1) / T, height), T>>>(d_in, d_out, width);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  blur_rows_reference(in.data(), weights.data(), expected.data(), width, height);
  float largest = 0;
  for (std::size_t i = 0; i < out.size(); ++i) largest = std::max(largest, std::abs(out[i] - expected[i]));
  std::cout << "max diff " << largest << '\n';
  cudaFree(d_in);
  cudaFree(d_out);
  return largest > 1e-5f;
}
