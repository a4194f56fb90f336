// expects: exited 1
// expects: launches 10
// expects: explains accepts one of the host's arrays in its place: 2845 of 3072 elements differ, the first is element 65
// The only sign of the wrong row is the exit status.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
__global__ void heat(const float *a, float *b, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    b[y * nx + x] = a[y * nx + x] + 0.1f * (a[y * nx + x - 1] + a[y * nx + x + 1] + a[(y - 1) * nx + x] + a[(y - 1) * nx + x] - 4 * a[y * nx + x]);
}
int main() {
  int nx = 64, ny = 48, n = nx * ny;
  float *h = (float *)malloc(n * sizeof(float)), *r = (float *)malloc(n * sizeof(float)), *t = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = (float)rand() / RAND_MAX;
  float *a, *b;
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int s = 0; s < 10; s++) {
    heat<<<dim3(4, 3), dim3(16, 16)>>>(a, b, nx, ny);
    float *q = a; a = b; b = q;
    for (int i = 0; i < n; i++) r[i] = h[i];
    for (int y = 1; y < ny - 1; y++) for (int x = 1; x < nx - 1; x++)
      r[y * nx + x] = h[y * nx + x] + 0.1f * (h[y * nx + x - 1] + h[y * nx + x + 1] + h[(y - 1) * nx + x] + h[(y + 1) * nx + x] - 4 * h[y * nx + x]);
    for (int i = 0; i < n; i++) h[i] = r[i];
  }
  cudaMemcpy(t, a, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: rejected-result
  int status = 0;
  for (int i = 0; i < n; i++)
    if (fabsf(t[i] - h[i]) > 1e-3f) status = EXIT_FAILURE;
  cudaFree(a); cudaFree(b);
  return status;
}
