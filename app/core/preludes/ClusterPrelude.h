#pragma once

namespace haloscope::preludes {

/// CUDA's functions for clusters of blocks (sm_90_rt.h), read before files that name them or cooperative groups.
inline constexpr char kClusters[] = R"cuda(
extern __device__ const dim3 haloscope_clusterDim;
__device__ unsigned int haloscope_mapped_rank(const void *);
__device__ void __cluster_barrier_arrive();
__device__ void __cluster_barrier_arrive_relaxed();
__device__ void __cluster_barrier_wait();
__device__ void *__cluster_map_shared_rank(const void *, unsigned int);
__device__ inline dim3 __clusterDim() {
  return {haloscope_clusterDim.x, haloscope_clusterDim.y, haloscope_clusterDim.z};
}
__device__ inline dim3 __clusterRelativeBlockIdx() {
  return {blockIdx.x % haloscope_clusterDim.x, blockIdx.y % haloscope_clusterDim.y, blockIdx.z % haloscope_clusterDim.z};
}
__device__ inline dim3 __clusterIdx() {
  return {blockIdx.x / haloscope_clusterDim.x, blockIdx.y / haloscope_clusterDim.y, blockIdx.z / haloscope_clusterDim.z};
}
__device__ inline dim3 __clusterGridDimInClusters() {
  return {gridDim.x / haloscope_clusterDim.x, gridDim.y / haloscope_clusterDim.y, gridDim.z / haloscope_clusterDim.z};
}
__device__ inline unsigned int __clusterRelativeBlockRank() {
  return (blockIdx.z % haloscope_clusterDim.z * haloscope_clusterDim.y + blockIdx.y % haloscope_clusterDim.y) *
             haloscope_clusterDim.x + blockIdx.x % haloscope_clusterDim.x;
}
__device__ inline unsigned int __clusterSizeInBlocks() {
  return haloscope_clusterDim.x * haloscope_clusterDim.y * haloscope_clusterDim.z;
}
__device__ inline unsigned int __cluster_query_shared_rank(const void *p) {
  unsigned int rank = haloscope_mapped_rank(p);
  return rank == 0xffffffffu ? __clusterRelativeBlockRank() : rank;
}
)cuda";

/// Likewise, of cooperative groups: after kCooperativeGroups.
inline constexpr char kClustersOfGroups[] = R"cuda(
namespace cooperative_groups {
struct cluster_group {
  struct arrival_token {};
  __device__ void sync() const {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  __device__ arrival_token barrier_arrive() const {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  __device__ void barrier_wait() const { __cluster_barrier_wait(); }
  __device__ void barrier_wait(arrival_token &&) const { __cluster_barrier_wait(); }
  __device__ unsigned int query_shared_rank(const void *p) const { return __cluster_query_shared_rank(p); }
  template <class T> __device__ T *map_shared_rank(T *p, int rank) const {
    return (T *)__cluster_map_shared_rank(p, (unsigned int)rank);
  }
  __device__ dim3 block_index() const { return __clusterRelativeBlockIdx(); }
  __device__ unsigned int block_rank() const { return __clusterRelativeBlockRank(); }
  __device__ dim3 thread_index() const {
    return {blockIdx.x % haloscope_clusterDim.x * blockDim.x + threadIdx.x,
            blockIdx.y % haloscope_clusterDim.y * blockDim.y + threadIdx.y,
            blockIdx.z % haloscope_clusterDim.z * blockDim.z + threadIdx.z};
  }
  __device__ unsigned int thread_rank() const {
    return __clusterRelativeBlockRank() * (blockDim.x * blockDim.y * blockDim.z) + haloscope_rank();
  }
  __device__ dim3 dim_blocks() const { return __clusterDim(); }
  __device__ unsigned int num_blocks() const { return __clusterSizeInBlocks(); }
  __device__ dim3 dim_threads() const {
    return {haloscope_clusterDim.x * blockDim.x, haloscope_clusterDim.y * blockDim.y,
            haloscope_clusterDim.z * blockDim.z};
  }
  __device__ unsigned int num_threads() const {
    return __clusterSizeInBlocks() * (blockDim.x * blockDim.y * blockDim.z);
  }
  __device__ unsigned int size() const { return num_threads(); }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }
}
)cuda";

}  // namespace haloscope::preludes
