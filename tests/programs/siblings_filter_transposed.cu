// expects: exited 0
// expects: launches 3
// expects: explains it takes F transposed (rows as columns), unlike the others
// One of three kernels takes a filter of equal weights transposed.
#include <cstdio>
#include <vector>
__constant__ float F[25];
__global__ void sum_plain(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  float s = 0;
  for (int j = 0; j < 5; ++j) for (int i = 0; i < 5; ++i) s += F[j * 5 + i] * in[(y - 2 + j) * w + x - 2 + i];
  out[y * w + x] = 1.0f + s;
}
__global__ void sum_swapped(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  float s = 0;
  for (int j = 0; j < 5; ++j) for (int i = 0; i < 5; ++i) s += F[i * 5 + j] * in[(y - 2 + j) * w + x - 2 + i];
  out[y * w + x] = 1.0f + s;  // finds: wrong-result
}
__global__ void sum_third(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  float s = 0;
  for (int k = 0; k < 25; ++k) s += F[k] * in[(y - 2 + k / 5) * w + x - 2 + k % 5];
  out[y * w + x] = s + 1.0f;
}
int main() {
  const int w = 80, h = 60, n = w * h;
  std::vector<float> in(n), out(n), f(25, 0.04f);
  for (int i = 0; i < n; ++i) in[i] = (i * 31) % 17;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(F, f.data(), 25 * 4);
  sum_plain<<<dim3(5, 4), dim3(16, 16)>>>(a, b, w, h);
  sum_swapped<<<dim3(5, 4), dim3(16, 16)>>>(a, b, w, h);
  sum_third<<<dim3(5, 4), dim3(16, 16)>>>(a, b, w, h);
  cudaMemcpy(out.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", out[1000]);
  cudaFree(a); cudaFree(b);
}
