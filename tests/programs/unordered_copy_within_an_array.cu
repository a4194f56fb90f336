// expects: exited 0
// expects: launches 1
// A copy within one array reads what a kernel in another stream may still be writing; what it writes is its own part.
#include <cstdio>

__global__ void ramp(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * i;
}

int main() {
  const int n = 1024;
  static float h[2 * n];
  float* a;
  cudaMalloc(&a, sizeof h);
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  ramp<<<4, 256, 0, s1>>>(a, n);
  cudaMemcpyAsync(a + n, a, n * sizeof(float), cudaMemcpyDeviceToDevice, s2);  // finds: unordered
  cudaDeviceSynchronize();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[n + 3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
}
