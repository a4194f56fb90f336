// expects: exited 1
// expects: launches 1
#include <cstdio>

// Compiled for blocks of 128 threads: larger ones may need more registers than there are.
__global__ void __launch_bounds__(128) scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

int main() {
  const int n = 1000;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(x, n);  // finds: launch-limit // fails: allow 128
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
  cudaFree(x);
  return error != cudaSuccess;
}
