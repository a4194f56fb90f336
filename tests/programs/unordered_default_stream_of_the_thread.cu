// expects: exited 0
// expects: launches 4
// runs defining: CUDA_API_PER_THREAD_DEFAULT_STREAM 1
// Compiled so that each thread has a default stream of its own: it is one stream among others, and waits for none.
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
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  ramp<<<4, 256, 0, s>>>(a, n);
  twice<<<4, 256>>>(a, b, n);  // finds: unordered
  cudaDeviceSynchronize();
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  ramp<<<4, 256>>>(a, n);
  twice<<<4, 256>>>(a, b, n);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(s);
  cudaFree(a);
  cudaFree(b);
}
