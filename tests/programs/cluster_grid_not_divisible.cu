// A grid of five blocks has no whole clusters of two: the launch fails.
// expects: exited 0
// expects: launches 2
// expects: prints cudaErrorInvalidClusterSize, cudaErrorInvalidClusterSize
#include <cooperative_groups.h>
#include <cstdio>

__global__ void __cluster_dims__(2, 1, 1) ranks(unsigned *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
}

__global__ void any(unsigned *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
}

int main() {
  unsigned *out;
  cudaMalloc(&out, 64 * sizeof(unsigned));
  ranks<<<5, 32>>>(out);  // finds: launch-limit // fails: launch 6×1×1 blocks
  cudaError_t first = cudaGetLastError();
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 32;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaError_t second = cudaLaunchKernelEx(&config, any, out);  // finds: launch-limit // fails: can have at most 8 blocks
  printf("%s, %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
  cudaFree(out);
}
