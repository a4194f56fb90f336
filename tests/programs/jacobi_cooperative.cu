// expects: exited 0
// expects: launches 1
// expects: prints largest error 0.0000
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <cmath>
namespace cg = cooperative_groups;

// All sweeps in one launch: the blocks meet between two of them.
__global__ void jacobi(float* a, float* b, int n, int sweeps) {
  cg::grid_group grid = cg::this_grid();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 1 + (int)grid.thread_rank(); i < n - 1; i += (int)grid.size()) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float* swapped = a;
    a = b;
    b = swapped;
  }
}

int main() {
  int n = 400, sweeps = 20;
  std::vector<float> field(n), other(n), result(n);
  for (int i = 0; i < n; ++i) field[i] = other[i] = rand() % 100 / 100.0f;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, field.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, field.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int blocks = 0, multiprocessors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, jacobi, 64, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  void* arguments[] = {&a, &b, &n, &sweeps};
  cudaLaunchCooperativeKernel((void*)jacobi, dim3(std::min(4, blocks * multiprocessors)), dim3(64), arguments, 0, 0);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 1; i < n - 1; ++i) other[i] = 0.5f * (field[i - 1] + field[i + 1]);
    std::swap(field, other);
  }
  float worst = 0;
  for (int i = 0; i < n; ++i) worst = std::max(worst, std::fabs(result[i] - field[i]));
  printf("largest error %.4f\n", worst);
  cudaFree(a);
  cudaFree(b);
}
