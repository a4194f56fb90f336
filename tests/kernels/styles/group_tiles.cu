#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define T 64

// The sum of each group of 8 threads, and of the whole block through shared memory.
__global__ void sums(const float* in, float* out, float* ofBlock, int n) {
  __shared__ float part[T / 8];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int i = block.group_index().x * block.group_dim().x + block.thread_rank();
  float sum = i < n ? in[i] : 0.0f;
  for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  sum = tile.shfl(sum, 0);
  if (i < n) out[i] = sum;
  if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() < 32) {
    auto warp = cg::tiled_partition<32>(block);
    float all = warp.thread_rank() < T / 8 ? part[warp.thread_rank()] : 0.0f;
    all = cg::reduce(warp, all, cg::plus<float>());
    if (warp.thread_rank() == 0) ofBlock[blockIdx.x] = all;
  }
}

__global__ void conv_tile_neighbours(const float* in, const float* filter, float* out, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = i < n ? in[i] : 0.0f;
  float l = warp.shfl_up(c, 1), r = warp.shfl_down(c, 1);
  if (warp.thread_rank() == 0) l = (i > 0 && i - 1 < n) ? in[i - 1] : 0.0f;
  if (warp.thread_rank() == warp.size() - 1) r = i + 1 < n ? in[i + 1] : 0.0f;
  if (i < n) out[i] = filter[0] * l + filter[1] * c + filter[2] * r;
}

int main() {
  float *a, *b, *c, *f; int n = 1000;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, (n + T - 1) / T * sizeof(float)); cudaMalloc(&f, 3 * sizeof(float));
  sums<<<(n + T - 1) / T, T>>>(a, b, c, n);
  conv_tile_neighbours<<<(n + T - 1) / T, T>>>(a, f, b, n);
}
// expects: sums clean 1000
// expects: conv_tile_neighbours matches
