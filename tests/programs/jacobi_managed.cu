// expects: exited 0
// expects: prints converged
// Managed memory, a residual by atomics, convergence asked by the host after each sweep.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

__global__ void sweep(const float* old, float* next, float* residual, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < 1 || row >= n - 1 || col < 1 || col >= n - 1) return;
  const int i = row * n + col;
  const float value = 0.25f * (old[i - 1] + old[i + 1] + old[i - n] + old[i + n]);
  next[i] = value;
  atomicAdd(residual, (value - old[i]) * (value - old[i]));
}

int main() {
  const int n = 34;
  float *a, *b, *residual;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&residual, sizeof(float));
  for (int i = 0; i < n * n; ++i) a[i] = b[i] = i < n ? 1.0f : 0.0f;
  int sweeps = 0;
  do {
    *residual = 0;
    sweep<<<dim3(3, 3), dim3(16, 16)>>>(a, b, residual, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
    ++sweeps;
  } while (*residual > 1e-1f && sweeps < 200);
  std::printf("%s after %d sweeps\n", *residual <= 1e-1f ? "converged" : "not converged", sweeps);
  cudaFree(a);
  cudaFree(b);
  cudaFree(residual);
}
