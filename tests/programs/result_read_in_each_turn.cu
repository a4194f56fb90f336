// expects: exited 0
// expects: launches 11
// The same launch again and again, whose result the host reads in each turn; and one of a kernel that adds.
#include <cstdio>
#include <vector>

__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
__global__ void add(const float* in, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += in[i];
}

int main() {
  const int n = 512;
  const size_t bytes = n * sizeof(float);
  std::vector<float> h(n), sums(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(c, 0, bytes);
  for (int k = 0; k < 4; ++k) add<<<4, 128>>>(a, c, n);
  for (int k = 0; k < 5; ++k) {
    smooth<<<4, 128>>>(a, b, n);
    cudaMemcpy(h.data(), b, bytes, cudaMemcpyDeviceToHost);
  }
  for (int k = 0; k < 2; ++k) smooth<<<4, 128>>>(a, b, n);
  cudaMemcpy(h.data(), b, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(sums.data(), c, bytes, cudaMemcpyDeviceToHost);
  printf("%f %f\n", h[7], sums[7]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
