#include <cstdio>
#include <cmath>
#include <vector>
void box(const float* in, float* out, int n) {
  for (int y = 0; y < n; ++y) for (int x = 0; x < n; ++x) {
    float s = 0;
    for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) {
      int yy = y + j, xx = x + i;
      if (yy >= 0 && yy < n && xx >= 0 && xx < n) s += in[yy * n + xx];
    }
    out[y * n + x] = s / 9;
  }
}
__global__ void zero(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) {
    int yy = y + j, xx = x + i;
    if (yy >= 0 && yy < n && xx >= 0 && xx < n) s += in[yy * n + xx];
  }
  out[y * n + x] = s / 9;
}
__global__ void clamped(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) {
    int yy = min(max(y + j, 0), n - 1), xx = min(max(x + i, 0), n - 1);
    s += in[yy * n + xx];
  }
  out[y * n + x] = s / 9;
}
__global__ void wrapped(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += in[((y + j + n) % n) * n + (x + i + n) % n];
  out[y * n + x] = s / 9;
}
int main() {
  const int n = 64, bytes = n * n * 4;
  std::vector<float> h(n * n), r(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = (float)((i * 37) % 101);
  float *a, *b; cudaMalloc(&a, bytes); cudaMalloc(&b, bytes);
  cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
  zero<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  box(h.data(), c.data(), n);
  double e = 0; for (int i = 0; i < n * n; ++i) e = std::fmax(e, std::fabs(c[i] - r[i]));
  printf("zero border: error %g\n", e);
  clamped<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("clamped corner %g\n", r[0]);
  wrapped<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("wrapped corner %g\n", r[0]);
  cudaFree(a); cudaFree(b);
  return e > 1e-3;
}
