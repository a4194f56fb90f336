// expects: exited 0
// expects: launches 1
// expects: prints 0.000000
#include <cstdio>
#include <cuda_runtime.h>

// The field is zero, and the coefficients are not: what it computes is zero, as it should be.

__global__ void smooth(const float *w, const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  float s = 0;
  for (int k = -2; k <= 2; k++) s += w[k + 2] * a[i + k];
  b[i] = s;
}

int main() {
  const int n = 64;
  float h[n] = {}, c[5] = {1, 2, 3, 2, 1}, *a, *b, *w;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h), cudaMalloc(&w, sizeof c);
  cudaMemcpy(w, c, sizeof c, cudaMemcpyHostToDevice);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  smooth<<<1, 64>>>(w, a, b, n);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float one : h) sum += one;
  printf("%f\n", sum);
  cudaFree(a), cudaFree(b), cudaFree(w);
}
