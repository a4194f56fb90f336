#include <cstdio>
#include <cmath>
#include <vector>
void laplace(const std::vector<float>& u, std::vector<float>& o, int n) {
  for (int y = 1; y < n - 1; ++y) for (int x = 1; x < n - 1; ++x)
    o[y * n + x] = u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] + u[(y + 1) * n + x] - 4 * u[y * n + x];
}
__global__ void lap(const float* u, float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1)
    o[y * n + x] = u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] + u[(y + 1) * n + x] - 4 * u[y * n + x];
}
__global__ void apply(const float* u, float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1)
    o[y * n + x] = 4 * u[y * n + x] - u[y * n + x - 1] - u[y * n + x + 1] - u[(y - 1) * n + x] - u[(y + 1) * n + x];
}
int main() {
  const int n = 64;
  std::vector<float> h(n * n), r(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = (float)((i * 37) % 101);
  float *a, *b, *d; cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMalloc(&d, n * n * 4);
  cudaMemcpy(a, h.data(), n * n * 4, cudaMemcpyHostToDevice); cudaMemset(b, 0, n * n * 4); cudaMemset(d, 0, n * n * 4);
  lap<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  apply<<<dim3(4, 4), dim3(16, 16)>>>(a, d, n);
  cudaMemcpy(r.data(), b, n * n * 4, cudaMemcpyDeviceToHost);
  laplace(h, c, n);
  double e = 0; for (int i = 0; i < n * n; ++i) e = std::fmax(e, std::fabs(c[i] - r[i]));
  cudaMemcpy(r.data(), d, n * n * 4, cudaMemcpyDeviceToHost);
  double s = 0; for (int i = 0; i < n * n; ++i) s += r[i];
  printf("error %g, sum %g\n", e, s);
  cudaFree(a); cudaFree(b); cudaFree(d);
  return e > 1e-3;
}
