// expects: exited 0
// expects: launches 1
// cudaMemset() is in the default stream and does not wait: a kernel in a non-blocking stream may run before it.
#include <cstdio>

__global__ void count(const int* values, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);
}

int main() {
  const int n = 1000, m = 10;
  static int h[n], counts[m];
  for (int i = 0; i < n; ++i) h[i] = i % m;
  int *values, *bins;
  cudaMalloc(&values, sizeof h);
  cudaMalloc(&bins, sizeof counts);
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemcpy(values, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof counts);
  count<<<4, 256, 0, s>>>(values, bins, n);  // finds: unordered
  cudaStreamSynchronize(s);
  cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
  printf("%d\n", counts[3]);
  cudaStreamDestroy(s);
  cudaFree(values);
  cudaFree(bins);
}
