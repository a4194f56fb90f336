// A wait at the barrier of the cluster that no arrival precedes.
// expects: exited 0
// expects: launches 1
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) ranks(unsigned *out) {
  auto cluster = cooperative_groups::this_cluster();
  cluster.barrier_wait();  // finds: cluster-barrier
  out[blockIdx.x * 32 + threadIdx.x] = cluster.block_rank();
}

int main() {
  unsigned *out;
  cudaMalloc(&out, 64 * sizeof(unsigned));
  ranks<<<2, 32>>>(out);  // fails: without having arrived
  cudaDeviceSynchronize();
  cudaFree(out);
}
