// expects: exited 0
// expects: launches 1
// expects: prints warp size 32
// expects: prints block of at most 1024
// expects: prints occupancy ok
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

__global__ void scaleAdd(float* y, const float* x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::cerr << "no device\n";
    return 1;
  }
  cudaSetDevice(0);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  std::ostringstream text;
  text << "Device: " << prop.name << ", compute capability " << prop.major << '.' << prop.minor << '\n'
       << std::fixed << std::setprecision(1) << prop.totalGlobalMem / double(1 << 30) << " GiB, "
       << prop.multiProcessorCount << " multiprocessors, warp size " << prop.warpSize << '\n'
       << "block of at most " << prop.maxThreadsPerBlock << " threads, grid of at most " << prop.maxGridSize[0] << '\n';
  std::cout << text.str();
  int smem = 0, blocks = 0, suggestedGrid = 0, suggestedBlock = 0;
  cudaDeviceGetAttribute(&smem, cudaDevAttrMaxSharedMemoryPerBlock, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scaleAdd, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&suggestedGrid, &suggestedBlock, scaleAdd, 0, 0);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, scaleAdd);
  const bool plausible = smem >= 48 * 1024 && blocks >= 1 && suggestedGrid >= 1 && suggestedBlock % 32 == 0 &&
                         attributes.maxThreadsPerBlock >= suggestedBlock && prop.major >= 5;
  std::cout << "occupancy " << (plausible ? "ok" : "odd") << std::endl;
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  if (free > total || total == 0) return 2;

  const int n = 10000;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  scaleAdd<<<std::min(suggestedGrid, 4), 256>>>(y, x, 2.0f, n);  // finds: never-copied-back
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaDeviceReset();
}
