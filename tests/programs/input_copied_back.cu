// expects: exited 0
// expects: launches 1
// Both arrays are set, and the launch has them in the wrong order: the host gets its own data back.
#include <cstdio>
#include <vector>

__global__ void stencil(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i + 1] - in[i - 1];
}

int main() {
  const int n = 400;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i * i % 31);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  stencil<<<2, 256>>>(b, a, n);
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: result-missing
  std::printf("%f\n", h[17]);
  cudaFree(a);
  cudaFree(b);
}
