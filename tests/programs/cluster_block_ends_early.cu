// The last barrier of the cluster is missing: a block may end, and its shared memory with it, while another reads it.
// expects: exited 0
// expects: launches 1
// expects: explains call cluster.sync() before the end of the kernel
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) mirrored(const float *in, float *out) {
  __shared__ float tile[32];
  auto cluster = cooperative_groups::this_cluster();
  int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[i] = other[31 - threadIdx.x];  // finds: block-gone
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  mirrored<<<4, 32>>>(in, out);
  float result[128];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
