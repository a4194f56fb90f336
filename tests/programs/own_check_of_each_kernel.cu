// expects: exited 1
// expects: launches 2
// expects: prints naive: ok
// expects: explains all its weights are 1.125 times those of blur_naive
// The program's own comparison names the kernel: the other one is right, and shows what is wrong.
#include <cstdio>
#include <cmath>
#include <vector>
__global__ void blur_naive(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += in[(y + j) * w + x + i];
  out[y * w + x] = s / 9;
}
#define T 16
__global__ void blur_tiled(const float* in, float* out, int w, int h) {
  __shared__ float tile[T][T];
  int x = blockIdx.x * (T - 2) + threadIdx.x, y = blockIdx.y * (T - 2) + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < w && y < h ? in[y * w + x] : 0;
  __syncthreads();
  if (threadIdx.x < 1 || threadIdx.y < 1 || threadIdx.x >= T - 1 || threadIdx.y >= T - 1) return;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += tile[threadIdx.y + j][threadIdx.x + i];
  out[y * w + x] = s / 8;  // finds: wrong-result
}
int main() {
  const int w = 100, h = 60, n = w * h;
  std::vector<float> a(n), o1(n), o2(n), r(n);
  for (int i = 0; i < n; ++i) a[i] = (i * 7919) % 101;
  for (int y = 1; y < h - 1; ++y) for (int x = 1; x < w - 1; ++x) {
    float s = 0;
    for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += a[(y + j) * w + x + i];
    r[y * w + x] = s / 9;
  }
  float *d, *e;
  cudaMalloc(&d, n * sizeof(float)); cudaMalloc(&e, n * sizeof(float));
  cudaMemcpy(d, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(e, 0, n * sizeof(float));
  blur_naive<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, e, w, h);
  cudaMemcpy(o1.data(), e, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(e, 0, n * sizeof(float));
  blur_tiled<<<dim3((w + T - 3) / (T - 2), (h + T - 3) / (T - 2)), dim3(T, T)>>>(d, e, w, h);
  cudaMemcpy(o2.data(), e, n * sizeof(float), cudaMemcpyDeviceToHost);
  int bad1 = 0, bad2 = 0;
  for (int i = 0; i < n; ++i) {
    bad1 += std::fabs(o1[i] - r[i]) > 1e-3;
    bad2 += std::fabs(o2[i] - r[i]) > 1e-3;
  }
  printf("naive: %s\n", bad1 ? "WRONG" : "ok");
  printf("tiled: %s\n", bad2 ? "WRONG" : "ok");
  cudaFree(d); cudaFree(e);
  return bad1 || bad2;
}
