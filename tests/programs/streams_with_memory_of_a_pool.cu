// expects: exited 0
// expects: launches 2
// Memory of a pool is allocated in one stream, used in another, and released in a third: events order them.
#include <cstdio>

__global__ void ramp(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * i;
}
__global__ void twice(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2 * a[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b;
  cudaMalloc(&b, sizeof h);
  cudaStream_t s1, s2, s3;
  cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&s3, cudaStreamNonBlocking);
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaMallocAsync(&a, sizeof h, s1);
  ramp<<<4, 256, 0, s1>>>(a, n);
  cudaEventRecord(e, s1);
  cudaStreamWaitEvent(s2, e);
  twice<<<4, 256, 0, s2>>>(a, b, n);
  cudaEventRecord(e, s2);
  cudaStreamWaitEvent(s3, e);
  cudaFreeAsync(a, s3);
  cudaStreamSynchronize(s2);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaEventDestroy(e);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaStreamDestroy(s3);
  cudaFree(b);
}
