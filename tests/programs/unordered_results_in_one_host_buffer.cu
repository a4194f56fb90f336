// expects: exited 0
// expects: launches 2
// Two streams copy their results into the same page-locked memory, and the second goes on from what the first is copying.
#include <cstdio>

__global__ void ramp(float* a, int n, float slope) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = slope * i;
}

int main() {
  const int n = 1000;
  float *h, *a, *b;
  cudaMallocHost(&h, n * sizeof(float));
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  ramp<<<4, 256, 0, s1>>>(a, n, 1);
  ramp<<<4, 256, 0, s2>>>(b, n, 2);
  cudaMemcpyAsync(h, a, n * sizeof(float), cudaMemcpyDeviceToHost, s1);
  cudaMemcpyAsync(h + n / 2, b, n / 2 * sizeof(float), cudaMemcpyDeviceToHost, s2);  // finds: unordered
  cudaMemcpyAsync(a, h, n / 2 * sizeof(float), cudaMemcpyHostToDevice, s2);  // finds: unordered
  cudaDeviceSynchronize();
  printf("%f\n", h[3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
  cudaFree(b);
  cudaFreeHost(h);
}
