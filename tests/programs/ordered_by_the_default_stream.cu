// expects: exited 0
// expects: launches 3
// A kernel in the default stream waits for the other streams, and they for it.
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
  cudaStreamCreateWithPriority(&s2, cudaStreamDefault, 0);
  cudaMemset(a, 0, sizeof h);
  fill<<<4, 256, 0, s1>>>(a, n);
  mean3<<<4, 256>>>(a, b, n);
  mean3<<<4, 256, 0, s2>>>(b, a, n);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
  cudaFree(b);
}
