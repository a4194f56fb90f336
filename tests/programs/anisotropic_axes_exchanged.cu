// expects: exited 0
// expects: launches 1
// expects: prints Test PASSED
// The coefficients of two axes are exchanged, and the program's own are equal: its comparison cannot tell.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

struct Medium {
  float kx, ky, dt;
};

__global__ void diffuse(const float* t, float* out, Medium m, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
  const int i = y * nx + x;
  const float along_x = t[i - 1] - 2 * t[i] + t[i + 1], along_y = t[i - nx] - 2 * t[i] + t[i + nx];
  out[i] = t[i] + m.dt * (m.ky * along_x + m.kx * along_y); // finds: wrong-result
}

void diffuse_host(const float* t, float* out, float kx, float ky, float dt, int nx, int ny) {
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * nx + x;
      out[i] = t[i] + dt * (kx * (t[i - 1] - 2 * t[i] + t[i + 1]) + ky * (t[i - nx] - 2 * t[i] + t[i + nx]));
    }
}

int main() {
  const int nx = 52, ny = 41, n = nx * ny;
  const Medium m{0.3f, 0.3f, 0.5f};
  std::vector<float> t(n), gpu(n, 0.0f), cpu(n, 0.0f);
  for (int i = 0; i < n; ++i) t[i] = float((i * 13) % 29);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, t.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, n * sizeof(float));
  diffuse<<<dim3(4, 3), dim3(16, 16)>>>(a, b, m, nx, ny);
  cudaMemcpy(gpu.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  diffuse_host(t.data(), cpu.data(), m.kx, m.ky, m.dt, nx, ny);
  bool same = true;
  for (int i = 0; i < n; ++i) same = same && std::fabs(gpu[i] - cpu[i]) < 1e-3f;
  std::printf("Test %s\n", same ? "PASSED" : "FAILED");
  cudaFree(a);
  cudaFree(b);
}
