// expects: exited 0
// expects: launches 10
// The range that a launch covers grows, and the third one leaves the array.
#include <cstdio>
#include <vector>

__global__ void accumulate(float* sums, const float* values, int begin, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sums[i] += values[begin + i];  // finds: out-of-bounds
}

int main() {
  const int n = 256;
  std::vector<float> host(n, 1.0f);
  float *sums, *values;
  cudaMalloc(&sums, n * sizeof(float));
  cudaMalloc(&values, n * sizeof(float));
  cudaMemset(sums, 0, n * sizeof(float));
  cudaMemcpy(values, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 10; ++k) accumulate<<<1, 128>>>(sums, values, 70 * k, k == 2 ? 128 : 16 * (k < 4));
  cudaMemcpy(host.data(), sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cudaFree(sums);
  cudaFree(values);
}
