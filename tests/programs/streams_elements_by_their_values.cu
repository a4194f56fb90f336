// expects: exited 0
// expects: launches 4
// Which elements a launch changes depends on what it reads: one stream counts those below a bound, the other those
// above it, in parts of their own.
#include <cstdio>

__global__ void scatter(const int* keys, int* bins, int n, int lowest, int highest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] >= lowest && keys[i] < highest) bins[keys[i]] = keys[i];
}
__global__ void negate(int* bins, int lowest, int highest) {
  int i = lowest + threadIdx.x;
  if (i < highest) bins[i] = -bins[i];
}

int main() {
  const int n = 1000, m = 64;
  static int h[n], result[m];
  for (int i = 0; i < n; ++i) h[i] = i * 7 % m;
  int *keys, *bins;
  cudaMalloc(&keys, sizeof h);
  cudaMalloc(&bins, sizeof result);
  cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof result);
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  for (int k = 0; k < 2; ++k) {
    scatter<<<4, 256, 0, s[k]>>>(keys, bins, n, k * m / 2, (k + 1) * m / 2);
    negate<<<1, 64, 0, s[k]>>>(bins, k * m / 2, (k + 1) * m / 2);
  }
  cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
  printf("%d\n", result[3]);
  for (auto one : s) cudaStreamDestroy(one);
  cudaFree(keys);
  cudaFree(bins);
}
