// Each block reads its neighbour's tile, and nothing says that it has been written.
// expects: exited 0
// expects: launches 1
// expects: explains tile[0] of block (1,0,0) is read by thread (31,0,0) of block (0,0,0)
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) next(const float *in, float *out) {
  __shared__ float tile[32];
  auto cluster = cooperative_groups::this_cluster();
  int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[i] = threadIdx.x < 31 ? tile[threadIdx.x + 1] : other[0];  // finds: race-cluster
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
