// expects: exited 0
// expects: launches 2
// expects: prints half 0 bytes 0
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

__global__ void averageHalf(const __half* in, __half* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = __float2half((__half2float(in[i - 1]) + __half2float(in[i]) + __half2float(in[i + 1])) / 3.0f);
}

__global__ void dilate(const uint8_t* in, uint8_t* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uint8_t most = 0;
  for (int v = max(0, y - 1); v <= min(h - 1, y + 1); ++v)
    for (int u = max(0, x - 1); u <= min(w - 1, x + 1); ++u) most = in[v * w + u] > most ? in[v * w + u] : most;
  out[y * w + x] = most;
}

template <class T>
T* upload(const std::vector<T>& from) {
  T* p;
  cudaMalloc(&p, from.size() * sizeof(T));
  cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int n = 96, w = 33, h = 17;
  std::vector<__half> a(n), b(n, __float2half(0));
  for (int i = 0; i < n; ++i) a[i] = __float2half(3.0f * (i % 4));
  __half *da = upload(a), *db = upload(b);
  averageHalf<<<1, n>>>(da, db, n);
  cudaMemcpy(b.data(), db, n * sizeof(__half), cudaMemcpyDeviceToHost);
  int wrongHalf = 0;
  for (int i = 1; i < n - 1; ++i) wrongHalf += __half2float(b[i]) != float((i - 1) % 4 + i % 4 + (i + 1) % 4);

  std::vector<uint8_t> image(w * h), bigger(w * h);
  for (int i = 0; i < w * h; ++i) image[i] = i * 37;
  uint8_t *di = upload(image), *dd = upload(bigger);
  dilate<<<dim3(3, 2), dim3(16, 16)>>>(di, dd, w, h);
  cudaMemcpy(bigger.data(), dd, w * h, cudaMemcpyDeviceToHost);
  int wrongBytes = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int most = 0;
      for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u)
          if (u >= 0 && v >= 0 && u < w && v < h && image[v * w + u] > most) most = image[v * w + u];
      wrongBytes += most != bigger[y * w + x];
    }
  printf("half %d bytes %d\n", wrongHalf, wrongBytes);
  cudaFree(da);
  cudaFree(db);
  cudaFree(di);
  cudaFree(dd);
  return wrongHalf + wrongBytes;
}
