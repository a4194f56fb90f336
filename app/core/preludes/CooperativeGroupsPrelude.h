#pragma once

namespace haloscope::preludes {

/// The replacement for <cooperative_groups.h>, read before files that name it.
inline constexpr char kCooperativeGroups[] = R"cuda(
namespace cooperative_groups {
__device__ inline unsigned int haloscope_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
struct thread_block {
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned int thread_rank() const { return haloscope_rank(); }
  __device__ unsigned int size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned int num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ dim3 group_index() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  __device__ dim3 thread_index() const { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  __device__ dim3 group_dim() const { return {blockDim.x, blockDim.y, blockDim.z}; }
  __device__ dim3 dim_threads() const { return {blockDim.x, blockDim.y, blockDim.z}; }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }
template <unsigned int Size, class Parent = void> struct thread_block_tile {
  static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads here");
  __device__ unsigned int haloscope_first() const { return haloscope_rank() & 31u & ~(Size - 1u); }
  __device__ unsigned int haloscope_mask() const { return (0xffffffffu >> (32u - Size)) << haloscope_first(); }
  __device__ void sync() const { __syncwarp(haloscope_mask()); }
  __device__ unsigned int thread_rank() const { return haloscope_rank() & (Size - 1u); }
  __device__ unsigned int size() const { return Size; }
  __device__ unsigned int num_threads() const { return Size; }
  __device__ unsigned int meta_group_rank() const { return haloscope_rank() / Size; }
  __device__ unsigned int meta_group_size() const {
    return (blockDim.x * blockDim.y * blockDim.z + Size - 1u) / Size;
  }
  template <class T> __device__ T shfl(T v, int rank) const { return __shfl_sync(haloscope_mask(), v, rank, Size); }
  template <class T> __device__ T shfl_up(T v, unsigned int d) const {
    return __shfl_up_sync(haloscope_mask(), v, d, Size);
  }
  template <class T> __device__ T shfl_down(T v, unsigned int d) const {
    return __shfl_down_sync(haloscope_mask(), v, d, Size);
  }
  template <class T> __device__ T shfl_xor(T v, unsigned int m) const {
    return __shfl_xor_sync(haloscope_mask(), v, (int)m, Size);
  }
  __device__ int any(int predicate) const { return __any_sync(haloscope_mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(haloscope_mask(), predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return __ballot_sync(haloscope_mask(), predicate) >> haloscope_first();
  }
};
template <unsigned int Size, class Group> __device__ inline thread_block_tile<Size> tiled_partition(const Group &) {
  return thread_block_tile<Size>();
}
struct coalesced_group {
  unsigned int haloscope_mask;
  __device__ void sync() const { __syncwarp(haloscope_mask); }
  __device__ unsigned int thread_rank() const {
    return __popc(haloscope_mask & ((1u << (haloscope_rank() & 31u)) - 1u));
  }
  __device__ unsigned int size() const { return __popc(haloscope_mask); }
  __device__ unsigned int num_threads() const { return __popc(haloscope_mask); }
  __device__ int any(int predicate) const { return __any_sync(haloscope_mask, predicate); }
  __device__ int all(int predicate) const { return __all_sync(haloscope_mask, predicate); }
};
__device__ inline coalesced_group coalesced_threads() { return {__activemask()}; }
struct grid_group {
  __device__ unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * (blockDim.x * blockDim.y * blockDim.z);
  }
  __device__ unsigned long long thread_rank() const {
    return ((unsigned long long)(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
               (blockDim.x * blockDim.y * blockDim.z) + haloscope_rank();
  }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { haloscope_sync_grid(); }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ unsigned long long block_rank() const {
    return (unsigned long long)(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ dim3 group_dim() const { return {gridDim.x, gridDim.y, gridDim.z}; }
  __device__ dim3 dim_blocks() const { return {gridDim.x, gridDim.y, gridDim.z}; }
  __device__ dim3 block_index() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
};
__device__ inline grid_group this_grid() { return grid_group(); }
template <class Group> __device__ inline void sync(const Group &group) { group.sync(); }

template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return min(a, b); } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return max(a, b); } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <unsigned int Step> struct haloscope_fold {
  template <class Tile, class T, class Op> __device__ static T of(const Tile &tile, T v, const Op &op) {
    return haloscope_fold<Step / 2>::of(tile, op(v, tile.shfl_xor(v, Step)), op);
  }
};
template <> struct haloscope_fold<0> {
  template <class Tile, class T, class Op> __device__ static T of(const Tile &, T v, const Op &) { return v; }
};
template <unsigned int Size, class Parent, class T, class Op>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &tile, T v, const Op &op) {
  return haloscope_fold<Size / 2>::of(tile, v, op);
}
}
)cuda";

}  // namespace haloscope::preludes
