// expects: exited 0
// expects: launches 4
// The host waits between the streams: for one of them, for an event, for the device, and in cudaMemcpy().
#include <cstdio>

__global__ void ramp(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * i;
}
__global__ void twice(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

int main() {
  const int n = 1000;
  static float h[n];
  float* a;
  cudaMalloc(&a, sizeof h);
  cudaStream_t s1, s2, s3;
  cudaStreamCreate(&s1);
  cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&s3, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  ramp<<<4, 256, 0, s1>>>(a, n);
  cudaStreamSynchronize(s1);
  twice<<<4, 256, 0, s2>>>(a, n);
  cudaEventRecord(done, s2);
  while (cudaEventQuery(done) != cudaSuccess) {}
  twice<<<4, 256, 0, s3>>>(a, n);
  cudaDeviceSynchronize();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (float& one : h) one += 1;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<4, 256, 0, s2>>>(a, n);
  cudaStreamSynchronize(s2);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaEventDestroy(done);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaStreamDestroy(s3);
  cudaFree(a);
}
