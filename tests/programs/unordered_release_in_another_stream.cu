// expects: exited 0
// expects: launches 2
// Memory of a pool is used and released in streams that nothing orders.
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
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  cudaMallocAsync(&a, sizeof h, s1);
  ramp<<<4, 256, 0, s2>>>(a, n);  // finds: unordered
  twice<<<4, 256, 0, s2>>>(a, b, n);  // finds: unordered
  cudaFreeAsync(a, s1);  // finds: unordered
  cudaStreamSynchronize(s1);
  cudaStreamSynchronize(s2);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(b);
}
