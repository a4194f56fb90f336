// expects: exited 0
// expects: launches 2
// Both coefficients are quotients of integers. The array that is scaled by zero is meant to be cleared.
#include <cstdio>
#include <vector>

__global__ void scale(float* a, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = by * a[i];
}

__global__ void blend(const float* in, float* out, int n, float side, float middle) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = side * in[i - 1] + middle * in[i] + side * in[i + 1];
}

int main() {
  const int n = 500;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(2 + i % 5);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<2, 256>>>(b, n, 0.0f);
  blend<<<2, 256>>>(a, b, n, 1 / 4, 1 / 2);  // finds: zero-coefficients
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[33]);
  cudaFree(a);
  cudaFree(b);
}
