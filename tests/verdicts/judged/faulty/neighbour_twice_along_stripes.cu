#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void mean4(const float* u, float* v, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i - w]);
}
int main() {
  const int w = 96, h = 64, n = w * h;
  float *u = (float*)malloc(n * 4), *v = (float*)malloc(n * 4);
  for (int i = 0; i < n; i++) u[i] = v[i] = (i % w) * (i % w) % 17;
  float *a, *b;
  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
  cudaMemcpy(a, u, n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(b, u, n * 4, cudaMemcpyHostToDevice);
  mean4<<<dim3(6, 4), dim3(16, 16)>>>(a, b, w, h);
  cudaMemcpy(v, b, n * 4, cudaMemcpyDeviceToHost);
  double most = 0;
  for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
    int i = y * w + x;
    most = fmax(most, fabs(v[i] - 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w])));
  }
  printf(most < 1e-3 ? "PASS\n" : "FAIL\n");
  cudaFree(a); cudaFree(b); free(u); free(v);
  return most < 1e-3 ? 0 : 1;
}
