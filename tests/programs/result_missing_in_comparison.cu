// expects: exited 1
// expects: launches 1
// The kernel is right. Its result is never copied back, and the host compares what it has instead.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
}

int main() {
  const int n = 400;
  std::vector<float> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(1 + i % 19);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<2, 256>>>(a, b, n);  // finds: result-missing
  cudaDeviceSynchronize();
  int errors = 0;
  for (int i = 1; i < n - 1; ++i) errors += std::fabs(r[i] - (h[i - 1] + h[i] + h[i + 1]) / 3.0f) > 1e-4f;
  cudaFree(a);
  cudaFree(b);
  if (errors > 0) {
    std::printf("Test FAILED\n");
    return 1;
  }
  std::printf("Test PASSED\n");
}
