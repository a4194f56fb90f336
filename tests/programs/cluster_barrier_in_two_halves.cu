// A block arrives at the barrier of the cluster, works on its own data, and waits before it reads that of others.
// expects: exited 0
// expects: launches 1
// expects: prints 2016 6112
#include <cooperative_groups.h>
#include <cstdio>

__global__ void __cluster_dims__(1, 2, 1) sum(int *out) {
  __shared__ int tile[64];
  auto cluster = cooperative_groups::this_cluster();
  int own = blockIdx.y * 64 + threadIdx.x;
  tile[threadIdx.x] = own;
  cluster.barrier_arrive();
  int kept = own * 2;
  cluster.barrier_wait();
  int *other = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
  int rank = cluster.query_shared_rank(other);
  atomicAdd(&out[rank], other[threadIdx.x] + kept - 2 * own);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

int main() {
  int *out;
  cudaMallocManaged(&out, 2 * sizeof(int));
  out[0] = out[1] = 0;
  sum<<<dim3(1, 2), 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[1]);
  cudaFree(out);
}
