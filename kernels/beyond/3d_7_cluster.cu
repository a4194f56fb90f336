/* haloscope
title: 3D 7-point sweep, halo from the cluster
book: beyond the book; extends section 8.5
idea: The blocks of a cluster read their halo from each other's shared memory, so that a point between two blocks is loaded from global memory once.
extends: stencil/register_tiled
order: 28
compute_capability: 9.0
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  TILE_X: {default: 8, min: 4, max: 128, meaning: points per block along x}
  TILE_Y: {default: 8, min: 2, max: 32, meaning: points per block along y}
  PLANES: {default: 8, min: 1, max: 128, meaning: planes per block}
  CLUSTER_X: {default: 2, min: 1, max: 8, meaning: blocks per cluster along x}
  CLUSTER_Y: {default: 2, min: 1, max: 8, meaning: blocks per cluster along y}
precision: {macro: REAL, types: [float, double]}
requires: [TILE_X * TILE_Y <= 1024, CLUSTER_X * CLUSTER_Y <= 8]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [CLUSTER_X * ceil(N / (TILE_X * CLUSTER_X)), CLUSTER_Y * ceil(N / (TILE_Y * CLUSTER_Y)), ceil(N / PLANES)]
  block: [TILE_X, TILE_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 13 / sizeof(REAL) * PLANES / (PLANES + 2 + 2 * PLANES * (1 / (TILE_X * CLUSTER_X) + 1 / (TILE_Y * CLUSTER_Y)))
*/
#include <cooperative_groups.h>

#ifndef REAL
#define REAL float
#endif
#ifndef TILE_X
#define TILE_X 8
#endif
#ifndef TILE_Y
#define TILE_Y 8
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef CLUSTER_X
#define CLUSTER_X 2
#endif
#ifndef CLUSTER_Y
#define CLUSTER_Y 2
#endif

__constant__ REAL c[7];

__global__ void __cluster_dims__(CLUSTER_X, CLUSTER_Y, 1) stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL tile_s[2][TILE_Y][TILE_X];
  auto cluster = cooperative_groups::this_cluster();

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int k = blockIdx.x * TILE_X + tx;
  int j = blockIdx.y * TILE_Y + ty;
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);

  // The neighbouring blocks of the cluster; a thread beside none of them loads its neighbour from global memory.
  int rank = cluster.block_rank();
  bool hasLeft = cluster.block_index().x > 0;
  bool hasRight = cluster.block_index().x < CLUSTER_X - 1;
  bool hasAbove = cluster.block_index().y > 0;
  bool hasBelow = cluster.block_index().y < CLUSTER_Y - 1;
  auto left_s = cluster.map_shared_rank(tile_s, hasLeft ? rank - 1 : rank);
  auto right_s = cluster.map_shared_rank(tile_s, hasRight ? rank + 1 : rank);
  auto above_s = cluster.map_shared_rank(tile_s, hasAbove ? rank - CLUSTER_X : rank);
  auto below_s = cluster.map_shared_rank(tile_s, hasBelow ? rank + CLUSTER_X : rank);

  bool inGrid = j < N && k < N;
  bool computes = j >= 1 && j < N - 1 && k >= 1 && k < N - 1;
  REAL prev = 0, curr = 0, next = 0;
  if (inGrid && begin < end) {
    prev = in[((begin - 1) * N + j) * N + k];
    curr = in[(begin * N + j) * N + k];
  }
  for (int i = begin; i < end; ++i) {
    int p = i % 2;  // the other tile may still be read
    if (inGrid) {
      tile_s[p][ty][tx] = curr;
      next = in[((i + 1) * N + j) * N + k];
    }
    cluster.sync();
    if (computes) {
      const REAL* at = in + (i * N + j) * N + k;
      REAL left = tx > 0 ? tile_s[p][ty][tx - 1] : hasLeft ? left_s[p][ty][TILE_X - 1] : at[-1];
      REAL right = tx < TILE_X - 1 ? tile_s[p][ty][tx + 1] : hasRight ? right_s[p][ty][0] : at[1];
      REAL above = ty > 0 ? tile_s[p][ty - 1][tx] : hasAbove ? above_s[p][TILE_Y - 1][tx] : at[-N];
      REAL below = ty < TILE_Y - 1 ? tile_s[p][ty + 1][tx] : hasBelow ? below_s[p][0][tx] : at[N];
      out[(i * N + j) * N + k] =
          c[0] * curr + c[1] * left + c[2] * right + c[3] * above + c[4] * below + c[5] * prev + c[6] * next;
    }
    prev = curr;
    curr = next;
  }
  cluster.sync();  // no block ends while another one reads its tile
}
