// expects: exited 0
// expects: launches 4
// The stream of the thread waits for the default stream, and that one for it; others take an event. What one stream
// reads of managed memory the other one reads, too.
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
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaEvent_t there;
  cudaEventCreate(&there);
  ramp<<<4, 256>>>(a, n);
  cudaEventRecord(there, cudaStreamLegacy);
  cudaStreamWaitEvent(s, there, 0);
  twice<<<4, 256, 0, cudaStreamPerThread>>>(a, b, n);
  twice<<<4, 256, 0, s>>>(a, c, n);
  cudaStreamSynchronize(s);
  printf("%f\n", c[3]);
  cudaStreamSynchronize(cudaStreamPerThread);
  printf("%f\n", b[3]);
  ramp<<<4, 256, 0, cudaStreamPerThread>>>(c, n);
  cudaMemcpy(b, c, n * sizeof(float), cudaMemcpyDefault);
  cudaDeviceSynchronize();
  printf("%f\n", b[3]);
  cudaEventDestroy(there);
  cudaStreamDestroy(s);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
