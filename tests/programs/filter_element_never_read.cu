// expects: exited 0
// expects: launches 2
// The product lacks its brackets, so that rows of the filter overlap. The other kernel reads half of a filter twice, as one
// that is the same on both sides may.
#include <cstdio>
#include <vector>

__global__ void conv(const float* in, const float* f, float* out, int n, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < r || y < r || x >= n - r || y >= n - r) return;
  float s = 0.0f;
  for (int j = 0; j <= 2 * r; ++j) {
    for (int i = 0; i <= 2 * r; ++i) {
      s += f[j * 2 * r + 1 + i] * in[(y + j - r) * n + x + i - r];  // finds: wrong-result
    }
  }
  out[y * n + x] = s;
}

__global__ void even(const float* in, const float* half, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3 || i >= n * n - 3) return;
  float s = 0.0f;
  for (int k = -3; k <= 3; ++k) s += half[k < 0 ? -k : k] * in[i + k];
  out[i] = s;
}

int main() {
  const int n = 48;
  std::vector<float> h(n * n), f(9);
  for (int i = 0; i < n * n; ++i) h[i] = static_cast<float>(i % 23);
  for (int i = 0; i < 9; ++i) f[i] = 0.1f * (i + 1);
  float *a, *b, *c, *d;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, 9 * sizeof(float));
  cudaMalloc(&d, 4 * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  cudaMemcpy(a, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, f.data(), 9 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, f.data(), 4 * sizeof(float), cudaMemcpyHostToDevice);
  conv<<<dim3(3, 3), dim3(16, 16)>>>(a, c, b, n, 1);
  cudaMemcpy(h.data(), b, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[5 * n + 7]);
  even<<<9, 256>>>(a, d, b, n);
  cudaMemcpy(h.data(), b, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[5 * n + 7]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
}
