// expects: exited 0
// expects: launches 2
// expects: prints same
// Cooperative groups: each warp adds up its residuals, one thread of a warp adds to the sum.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void relax(const double* u, double* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = i > 0 && i < n - 1 ? 0.5 * (u[i - 1] + u[i + 1]) : u[i];
}

__global__ void residual(const double* u, const double* v, double* sum, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * blockDim.x)
    mine += (u[i] - v[i]) * (u[i] - v[i]);
  for (int step = warp.size() / 2; step > 0; step /= 2) mine += warp.shfl_down(mine, step);
  if (warp.thread_rank() == 0) atomicAdd(sum, mine);
}

int main() {
  const int n = 777;
  std::vector<double> u(n);
  for (int i = 0; i < n; ++i) u[i] = std::sin(0.05 * i);
  double *a, *b, *sum, result = 0, expected = 0;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMalloc(&sum, sizeof(double));
  cudaMemcpy(a, u.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(double));
  relax<<<(n + 127) / 128, 128>>>(a, b, n);
  residual<<<2, 128>>>(a, b, sum, n);
  cudaMemcpy(&result, sum, sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n - 1; ++i) {
    const double d = u[i] - 0.5 * (u[i - 1] + u[i + 1]);
    expected += d * d;
  }
  std::printf("%s\n", std::fabs(result - expected) < 1e-12 ? "same" : "different");
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
}
