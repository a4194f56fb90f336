/* haloscope
title: Accesses to another block's shared memory
book: none; what an access through a mapped pointer counts as
idea: Each warp accesses the tile of the block with the other rank, or its own through a mapped pointer. The hardware's counters show which of them such a request moves.
order: 1
compute_capability: 9.0
sizes:
  N: {default: 1048576, min: 512, max: 268435456, meaning: threads}
tunables:
  OTHER: {default: 1, min: 0, max: 1, meaning: "1: the other block's tile, 0: the own"}
  STRIDE: {default: 1, min: 1, max: 32, meaning: elements from one lane to the next}
  STORES: {default: 0, min: 0, max: 1, meaning: "1: a store, 0: a load"}
requires: [N % 512 == 0]
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 256), 1, 1]
  block: [256, 1, 1]
*/
#include <cooperative_groups.h>

#ifndef OTHER
#define OTHER 1
#endif
#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef STORES
#define STORES 0
#endif

__global__ void __cluster_dims__(2, 1, 1) other_block(const float* in, float* out, int N) {
  __shared__ float tile[256 * STRIDE];
  auto cluster = cooperative_groups::this_cluster();
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int n = threadIdx.x; n < 256 * STRIDE; n += 256) { tile[n] = in[i]; }
  cluster.sync();
  float* there = cluster.map_shared_rank(tile, cluster.block_rank() ^ OTHER);
#if STORES
  there[threadIdx.x * STRIDE] = 1;
  cluster.sync();
  out[i] = tile[threadIdx.x * STRIDE];
#else
  out[i] = there[threadIdx.x * STRIDE];
  cluster.sync();
#endif
}
