// expects: exited 0
// expects: launches 1
// The kernel sets the border as well, for which the host has a line of its own behind the call of its function.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void rod(const float* t, float* next, int n, float k) {  // matches: rodOnHost
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) next[i] = t[i] + k * (t[i - 1] - 2.0f * t[i] + t[i + 1]);
  if (i == 0) next[i] = t[1];
  if (i == n - 1) next[i] = t[n - 2];
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
  expected[0] = t[1];
  expected[n - 1] = t[n - 2];
  float most = 0;
  for (int i = 0; i < n; i++) most = std::fmax(most, std::fabs(found[i] - expected[i]));
  std::printf("%g\n", most);
  cudaFree(a);
  cudaFree(b);
  free(t);
  free(expected);
  free(found);
}
