// expects: exited 0
// expects: launches 1
// The function of the host computes every third row alone and leaves the others as they were, which say nothing of what
// the kernel should compute there.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void relax(const float* u, float* next, int n) {  // matches: relaxSample
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  next[i] = 0.5f * u[i] + 0.125f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n]);
}

void relaxSample(const float* u, float* next, int n) {
  for (int y = 1; y < n - 1; y += 3) {
    for (int x = 1; x < n - 1; x++) {
      int i = y * n + x;
      next[i] = 0.5f * u[i] + 0.125f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n]);
    }
  }
}

int main() {
  const int n = 50;
  const size_t bytes = n * n * sizeof(float);
  float* u = (float*)malloc(bytes);
  float* expected = (float*)malloc(bytes);
  float* found = (float*)malloc(bytes);
  for (int i = 0; i < n * n; i++) u[i] = static_cast<float>(i * 7 % 41);
  std::memcpy(expected, u, bytes);
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, u, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, u, bytes, cudaMemcpyHostToDevice);
  relax<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(found, b, bytes, cudaMemcpyDeviceToHost);
  relaxSample(u, expected, n);
  double most = 0;
  for (int y = 1; y < n - 1; y += 3) {
    for (int x = 1; x < n - 1; x++) most = std::fmax(most, std::fabs(found[y * n + x] - expected[y * n + x]));
  }
  std::printf("%g\n", most);
  cudaFree(a);
  cudaFree(b);
  free(u);
  free(expected);
  free(found);
}
