#include <vector>

__global__ void central(const float* f, float* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) g[i] = 0.5f * (f[i + 1] - f[i - 1]);  // finds: out-of-bounds
}

void gradient(const std::vector<float>& values, std::vector<float>& result) {
  const size_t bytes = values.size() * sizeof(float);
  float *f, *g;
  cudaMalloc(&f, bytes);
  cudaMalloc(&g, bytes);
  cudaMemcpy(f, values.data(), bytes, cudaMemcpyHostToDevice);
  central<<<4, 100>>>(f, g, (int)values.size());
  cudaMemcpy(result.data(), g, bytes, cudaMemcpyDeviceToHost);
  cudaFree(f);
  cudaFree(g);
}
