// expects: exited 0
// expects: launches 4
// expects: prints mass kept
// Nine distributions in a table of pointers that is passed by value, pulled from the neighbours on a periodic grid.
#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int Q = 9;
struct Populations {
  float* f[Q];
};
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weight[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

__global__ void collideAndStream(Populations from, Populations to, int nx, int ny, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  float f[Q], rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; ++q) {
    const int sx = (x - cx[q] + nx) % nx, sy = (y - cy[q] + ny) % ny;
    f[q] = from.f[q][sy * nx + sx];
    rho += f[q];
    ux += cx[q] * f[q];
    uy += cy[q] * f[q];
  }
  ux /= rho;
  uy /= rho;
  for (int q = 0; q < Q; ++q) {
    const float cu = 3 * (cx[q] * ux + cy[q] * uy);
    const float equilibrium = weight[q] * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
    to.f[q][y * nx + x] = f[q] + omega * (equilibrium - f[q]);
  }
}

int main() {
  const int nx = 36, ny = 20, n = nx * ny;
  Populations a, b;
  std::vector<float> one(n);
  double before = 0, after = 0;
  for (int q = 0; q < Q; ++q) {
    cudaMalloc(&a.f[q], n * sizeof(float));
    cudaMalloc(&b.f[q], n * sizeof(float));
    for (int i = 0; i < n; ++i) before += one[i] = 0.1f + 0.01f * ((i + q) % 5);
    cudaMemcpy(a.f[q], one.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  }
  for (int s = 0; s < 4; ++s) {
    collideAndStream<<<dim3(3, 5), dim3(16, 4)>>>(a, b, nx, ny, 1.2f);
    std::swap(a, b);
  }
  for (int q = 0; q < Q; ++q) {
    cudaMemcpy(one.data(), a.f[q], n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float v : one) after += v;
    cudaFree(a.f[q]);
    cudaFree(b.f[q]);
  }
  std::printf("mass %s\n", std::fabs(after - before) < 1e-2 ? "kept" : "lost");
}
