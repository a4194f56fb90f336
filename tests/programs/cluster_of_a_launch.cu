// The launch gives the size of the clusters, not the kernel. Each block adds its sum to all blocks of the cluster.
// expects: exited 0
// expects: launches 1
// expects: prints 36 36 36 36 100 100 100 100
#include <cooperative_groups.h>
#include <cstdio>

__global__ void sums(int *out) {
  __shared__ int total;
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) total = 0;
  cluster.sync();
  unsigned other = threadIdx.x;
  if (other < cluster.num_blocks()) atomicAdd(cluster.map_shared_rank(&total, other), blockIdx.x * 4 + 3);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

int main() {
  int *out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, sums, out) != cudaSuccess) return 1;
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
  cudaFree(out);
}
