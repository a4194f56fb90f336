// expects: exited 0
// expects: launches 1
// expects: prints agree
// The kernel writes the last point, too, which is to keep its temperature, and the program compares the inside alone.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void rod(const float* t, float* next, int n, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) {
    const float right = i + 1 < n ? t[i + 1] : 0.0f;
    next[i] = t[i] + k * (t[i - 1] - 2.0f * t[i] + right);  // finds: wrong-result
  }
}

void rodOnHost(const float* t, float* next, int n, float k) {
  for (int i = 1; i < n - 1; i++) next[i] = t[i] + k * (t[i - 1] - 2.0f * t[i] + t[i + 1]);
}

int main() {
  const int n = 300;
  const size_t bytes = n * sizeof(float);
  float* t = (float*)malloc(bytes);
  float* expected = (float*)malloc(bytes);
  float* found = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) t[i] = 20.0f + 30.0f * std::sin(0.1f * i);
  std::memcpy(expected, t, bytes);
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, t, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, t, bytes, cudaMemcpyHostToDevice);
  rod<<<2, 256>>>(a, b, n, 0.2f);
  cudaMemcpy(found, b, bytes, cudaMemcpyDeviceToHost);
  rodOnHost(t, expected, n, 0.2f);
  int wrong = 0;
  for (int i = 1; i < n - 1; i++) wrong += std::fabs(found[i] - expected[i]) > 1e-4f;
  std::printf(wrong == 0 ? "they agree\n" : "they differ\n");
  cudaFree(a);
  cudaFree(b);
  free(t);
  free(expected);
  free(found);
}
