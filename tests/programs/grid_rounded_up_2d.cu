// expects: exited 0
// expects: launches 3
// A block beyond the grid would find nothing to do.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void laplace(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  if (x < 1 || x == w - 1 || y < 1 || y == h - 1) {
    out[y * w + x] = in[y * w + x];
    return;
  }
  out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

int main() {
  const int w = 100, h = 70, n = w * h;
  std::vector<float> f(n), r(n);
  for (int i = 0; i < n; ++i) f[i] = i % 17;
  float *a, *b;
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  const auto sweep = [&] { laplace<<<grid, block>>>(a, b, w, h); std::swap(a, b); };
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sweep();
  sweep();
  sweep();
  cudaMemcpy(r.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[500]);
  cudaFree(a);
  cudaFree(b);
}
