// The last block of the cluster asks for the memory of one after it.
// expects: exited 0
// expects: launches 1
// expects: explains the cluster has 2 blocks
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) next(const float *in, float *out) {
  __shared__ float tile[32];
  auto cluster = cooperative_groups::this_cluster();
  int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  float *other = cluster.map_shared_rank(tile, cluster.block_rank() + 1);
  out[i] = other[threadIdx.x];  // finds: out-of-bounds
  cluster.sync();
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  next<<<4, 32>>>(in, out);
  float result[128];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
