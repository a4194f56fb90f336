// Half of a warp comes to the barrier of the cluster.
// expects: exited 0
// expects: launches 1
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) half_warp(unsigned *out) {
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x < 16) cluster.sync();  // finds: divergent-barrier
  out[blockIdx.x * 32 + threadIdx.x] = cluster.thread_rank();
}

int main() {
  unsigned *out;
  cudaMalloc(&out, 64 * sizeof(unsigned));
  half_warp<<<2, 32>>>(out);  // fails: the barrier at
  cudaDeviceSynchronize();
  cudaFree(out);
}
