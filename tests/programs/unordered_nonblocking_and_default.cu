// expects: exited 0
// expects: launches 1
// The copy is in the default stream, which does not wait for a non-blocking one.
#include <cstdio>

__global__ void ramp(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * i;
}

int main() {
  const int n = 1000;
  static float h[n];
  float* a;
  cudaMalloc(&a, sizeof h);
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  ramp<<<4, 256, 0, s>>>(a, n);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);  // finds: unordered
  printf("%f\n", h[3]);
  cudaStreamDestroy(s);
  cudaFree(a);
}
