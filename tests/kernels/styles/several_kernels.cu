#include <stdio.h>
#include <stdlib.h>
#define N 64
#define BX 16
#define BY 16
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
__device__ float clampf(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
__global__ void init(float *a, int n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1.0f / (1 + i);
}
__global__ void jacobi(const float *a, float *b, int n) {
  int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  if (x < n && y < n) {
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) b[y * n + x] = a[y * n + x];
    else b[y * n + x] = clampf(0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]));
  }
}
int main(void) {
  float *a, *b;
  cudaMalloc((void **)&a, N * N * sizeof(float));
  cudaMalloc((void **)&b, N * N * sizeof(float));
  init<<<CEIL_DIV(N * N, 256), 256>>>(a, N * N);
  dim3 threads(BX, BY), blocks(CEIL_DIV(N, BX), CEIL_DIV(N, BY));
  for (int t = 0; t < 10; ++t) {
    jacobi<<<blocks, threads>>>(a, b, N);
    float *s = a; a = b; b = s;
  }
  printf("%f\n", 1.0);
  return 0;
}
// expects: init clean 4096
// expects: jacobi clean 4096
