#include <cstdio>
#include <vector>
template <int RULE> __device__ float at(const float* in, int x, int y, int n) {
  if (RULE == 0) return x >= 0 && y >= 0 && x < n && y < n ? in[y * n + x] : 0.f;
  return in[min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1)];
}
__global__ void zero(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += at<0>(in, x + i, y + j, n);
  out[y * n + x] = s / 9;
}
__global__ void zero_tiled(const float* in, float* out, int n) {
  __shared__ float t[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = threadIdx.y; j < 18; j += 16) for (int i = threadIdx.x; i < 18; i += 16)
    t[j][i] = at<0>(in, blockIdx.x * 16 + i - 1, blockIdx.y * 16 + j - 1, n);
  __syncthreads();
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = 0; j <= 2; ++j) for (int i = 0; i <= 2; ++i) s += t[threadIdx.y + j][threadIdx.x + i];
  out[y * n + x] = s / 9;
}
__global__ void clamped(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  for (int j = -1; j <= 1; ++j) for (int i = -1; i <= 1; ++i) s += at<1>(in, x + i, y + j, n);
  out[y * n + x] = s / 9;
}
int main() {
  const int n = 64, bytes = n * n * 4;
  std::vector<float> h(n * n), r(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = (float)((i * 37) % 101);
  float *a, *b; cudaMalloc(&a, bytes); cudaMalloc(&b, bytes);
  cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
  zero<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("zero %g\n", r[0]);
  zero_tiled<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("zero tiled %g\n", r[0]);
  clamped<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(r.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("clamped %g\n", r[0]);
  cudaFree(a); cudaFree(b);
}
