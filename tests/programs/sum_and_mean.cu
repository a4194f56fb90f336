// expects: exited 0
// expects: launches 2
#include <cstdio>
#include <cuda_runtime.h>

// Both are right: the same points, taken with other weights.

__global__ void box_mean(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

__global__ void box_sum(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i] + in[i + 1];
}

int main() {
  const int n = 1000;
  static float h[n], r[n];
  for (int i = 0; i < n; ++i) h[i] = i * 37 % 101 / 7.f;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h), cudaMalloc(&c, sizeof h);
  cudaMemset(b, 0, sizeof h), cudaMemset(c, 0, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  box_mean<<<8, 128>>>(a, b, n);
  box_sum<<<8, 128>>>(a, c, n);
  cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
  printf("%f\n", r[5]);
  cudaMemcpy(r, c, sizeof r, cudaMemcpyDeviceToHost);
  printf("%f\n", r[5]);
  cudaFree(a), cudaFree(b), cudaFree(c);
}
