// A 1D stencil whose blocks read the cells beside their own from the shared memory of the other blocks of their
// cluster.
// expects: exited 0
// expects: launches 1
// expects: prints 0 wrong
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

#define BLOCK 64
#define CLUSTER 4

__global__ void __cluster_dims__(CLUSTER, 1, 1) smooth(const float *in, float *out, int n) {  // matches: smooth_cpu
  __shared__ float tile[BLOCK];
  cg::cluster_group cluster = cg::this_cluster();
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  if (i < n) tile[t] = in[i];
  cluster.sync();
  if (i > 0 && i < n - 1) {
    int rank = cluster.block_rank();
    float left = t > 0 ? tile[t - 1] : rank > 0 ? cluster.map_shared_rank(tile, rank - 1)[BLOCK - 1] : in[i - 1];
    float right = t < BLOCK - 1                      ? tile[t + 1]
                  : rank < cluster.num_blocks() - 1 ? *cluster.map_shared_rank(&tile[0], rank + 1)
                                                     : in[i + 1];
    out[i] = 0.25f * left + 0.5f * tile[t] + 0.25f * right;
  }
  cluster.sync();
}

void smooth_cpu(const float *in, float *out, int n) {
  for (int i = 1; i < n - 1; ++i) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

int main() {
  const int n = 1000;
  std::vector<float> in(n), out(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = i % 17;
  float *dIn, *dOut;
  cudaMalloc(&dIn, n * sizeof(float));
  cudaMalloc(&dOut, n * sizeof(float));
  cudaMemcpy(dIn, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(dOut, 0, n * sizeof(float));
  smooth<<<16, BLOCK>>>(dIn, dOut, n);
  cudaMemcpy(out.data(), dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  smooth_cpu(in.data(), expected.data(), n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != expected[i];
  printf("%d wrong\n", wrong);
  cudaFree(dIn);
  cudaFree(dOut);
}
