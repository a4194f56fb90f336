// expects: exited 0
// expects: launches 2
// Two kernels in two streams, of which the second needs what the first computes.
#include <cstdio>

__global__ void fill(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i % 5;
}
__global__ void mean3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
  else if (i < n) out[i] = in[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  fill<<<4, 256, 0, s1>>>(a, n);
  mean3<<<4, 256, 0, s2>>>(a, b, n);  // finds: unordered
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
  cudaFree(b);
}
