// expects: exited 0
// expects: launches 2
// A result is copied back in one stream into page-locked memory while a kernel in another already overwrites it.
#include <cstdio>

__global__ void square(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i * i;
}
__global__ void negate(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = -a[i];
}

int main() {
  const int n = 1024;
  float *h, *a;
  cudaMallocHost(&h, n * sizeof(float));
  cudaMalloc(&a, n * sizeof(float));
  cudaStream_t copies, work;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&work);
  cudaEvent_t squared;
  cudaEventCreate(&squared);
  square<<<4, 256, 0, work>>>(a, n);
  cudaEventRecord(squared, work);
  cudaStreamWaitEvent(copies, squared, 0);
  cudaMemcpyAsync(h, a, n * sizeof(float), cudaMemcpyDeviceToHost, copies);
  negate<<<4, 256, 0, work>>>(a, n);  // finds: unordered
  cudaDeviceSynchronize();
  printf("%f\n", h[3]);
  cudaEventDestroy(squared);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(work);
  cudaFree(a);
  cudaFreeHost(h);
}
