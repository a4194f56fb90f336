#pragma once

namespace haloscope {

/// What kernels use of CUB, as both halves of a program see it; the host half skips the bodies. A result that CUB gives
/// only the first thread of a block or a warp is that thread's alone here: the others get back what they gave.
/// The front end lets a parameter here share the register of what it is given, and a variable take it over: a parameter
/// that a variable begins with is not used again.
inline constexpr char kCubBlocks[] = R"cuda(#ifndef HALOSCOPE_CUB_BLOCKS
#define HALOSCOPE_CUB_BLOCKS
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
namespace cub {
struct Sum { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
typedef Sum Add;
template <class K, class V> struct KeyValuePair { K key; V value; };
struct ArgMax { template <class P> __host__ __device__ P operator()(const P &a, const P &b) const { return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
struct ArgMin { template <class P> __host__ __device__ P operator()(const P &a, const P &b) const { return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };
__device__ inline int haloscope_thread() { return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x); }

template <class T, int BlockX, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int BlockY = 1, int BlockZ = 1, int Arch = 0>
class BlockReduce {
 public:
  static constexpr int kThreads = BlockX * BlockY * BlockZ;
  typedef T TempStorage[BlockX * BlockY * BlockZ];
  __device__ explicit BlockReduce(TempStorage &storage) : haloscope_storage(storage) {}
  template <class Op> __device__ T Reduce(T input, Op op, int valid) {
    int thread = haloscope_thread(), lane = thread & 31;
    T own = input, result = own;
    haloscope_storage[thread] = result;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
      if (lane < half && thread + half < valid) {
        result = op(result, haloscope_storage[thread + half]);
        haloscope_storage[thread] = result;
      }
      __syncwarp();
    }
    __syncthreads();
    if (thread == 0) {
      for (int other = 32; other < valid; other += 32) result = op(result, haloscope_storage[other]);
    }
    return thread == 0 ? result : own;
  }
  template <class Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, kThreads); }
  template <int Items, class Op> __device__ T Reduce(T (&input)[Items], Op op) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = op(own, input[i]);
    return Reduce(own, op, kThreads);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), kThreads); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int Items> __device__ T Sum(T (&input)[Items]) { return Reduce(input, cub::Sum()); }

 private:
  T *haloscope_storage;
};

template <class T, int BlockX, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int BlockY = 1, int BlockZ = 1, int Arch = 0>
class BlockScan {
 public:
  static constexpr int kThreads = BlockX * BlockY * BlockZ;
  typedef T TempStorage[BlockX * BlockY * BlockZ];
  __device__ explicit BlockScan(TempStorage &storage) : haloscope_storage(storage) {}
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op) {
    int thread = haloscope_thread();
    T result = input;
    haloscope_storage[thread] = result;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
      T other = result;
      if (thread >= step) other = haloscope_storage[thread - step];
      __syncthreads();
      if (thread >= step) {
        result = op(other, result);
        haloscope_storage[thread] = result;
      }
      __syncthreads();
    }
    output = result;
  }
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op, T &all) {
    InclusiveScan(input, output, op);
    all = haloscope_storage[kThreads - 1];
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T first, Op op) {
    T sum = input, begin = first, result = begin;
    InclusiveScan(sum, sum, op);
    int thread = haloscope_thread();
    if (thread > 0) result = op(begin, haloscope_storage[thread - 1]);
    output = result;
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T first, Op op, T &all) {
    ExclusiveScan(input, output, first, op);
    all = haloscope_storage[kThreads - 1];
  }
  __device__ void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T &output, T &all) { InclusiveScan(input, output, cub::Sum(), all); }
  __device__ void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T &output, T &all) { ExclusiveScan(input, output, T(0), cub::Sum(), all); }
  template <int Items, class Op> __device__ void ExclusiveScan(T (&input)[Items], T (&output)[Items], T first, Op op) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = op(own, input[i]);
    T before = own;
    ExclusiveScan(own, before, first, op);
    for (int i = 0; i < Items; ++i) {
      T next = op(before, input[i]);
      output[i] = before;
      before = next;
    }
  }
  template <int Items, class Op> __device__ void InclusiveScan(T (&input)[Items], T (&output)[Items], Op op) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = op(own, input[i]);
    T with = own;
    InclusiveScan(own, with, op);
    int thread = haloscope_thread();
    T before = input[0];
    if (thread > 0) before = op(haloscope_storage[thread - 1], input[0]);
    output[0] = before;
    for (int i = 1; i < Items; ++i) {
      before = op(before, input[i]);
      output[i] = before;
    }
  }
  template <int Items> __device__ void ExclusiveSum(T (&input)[Items], T (&output)[Items]) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  template <int Items> __device__ void ExclusiveSum(T (&input)[Items], T (&output)[Items], T &all) {
    ExclusiveScan(input, output, T(0), cub::Sum());
    all = haloscope_storage[kThreads - 1];
  }
  template <int Items> __device__ void InclusiveSum(T (&input)[Items], T (&output)[Items]) { InclusiveScan(input, output, cub::Sum()); }

 private:
  T *haloscope_storage;
};

// Of a warp, or of a part of one.
template <class T, int Threads = 32, int Arch = 0> class WarpReduce {
 public:
  struct TempStorage { int unused; };
  __device__ explicit WarpReduce(TempStorage &) {}
  template <class Op> __device__ T Reduce(T input, Op op, int valid) {
    int lane = haloscope_thread() & (Threads - 1);
    unsigned int mask = (0xffffffffu >> (32 - Threads)) << (haloscope_thread() & 31 & ~(Threads - 1));
    T own = input, result = own;
    for (int half = Threads / 2; half > 0; half /= 2) {
      T other = __shfl_down_sync(mask, result, (unsigned int)half, Threads);
      if (lane + half < valid && lane < half) result = op(result, other);
    }
    return lane == 0 ? result : own;
  }
  template <class Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, Threads); }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), Threads); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
};
template <class T, int Threads = 32, int Arch = 0> class WarpScan {
 public:
  struct TempStorage { int unused; };
  __device__ explicit WarpScan(TempStorage &) {}
  template <class Op> __device__ void InclusiveScan(T input, T &output, Op op) {
    int lane = haloscope_thread() & (Threads - 1);
    unsigned int mask = haloscope_mask();
    T result = input;
    for (int step = 1; step < Threads; step *= 2) {
      T other = __shfl_up_sync(mask, result, (unsigned int)step, Threads);
      if (lane >= step) result = op(other, result);
    }
    output = result;
  }
  template <class Op> __device__ void ExclusiveScan(T input, T &output, T first, Op op) {
    T sum = input, begin = first, result = begin;
    InclusiveScan(sum, sum, op);
    T before = __shfl_up_sync(haloscope_mask(), sum, 1u, Threads);
    if ((haloscope_thread() & (Threads - 1)) > 0) result = op(begin, before);
    output = result;
  }
  __device__ void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __device__ T Broadcast(T input, int lane) { return __shfl_sync(haloscope_mask(), input, lane, Threads); }

 private:
  __device__ unsigned int haloscope_mask() const {
    return (0xffffffffu >> (32 - Threads)) << (haloscope_thread() & 31 & ~(Threads - 1));
  }
};

template <class T, int BlockX, int Items, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int BlockY = 1, int BlockZ = 1, int Arch = 0>
class BlockLoad {
 public:
  struct TempStorage { int unused; };
  __device__ BlockLoad() {}
  __device__ explicit BlockLoad(TempStorage &) {}
  template <class From> __device__ void Load(From from, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) items[i] = from[haloscope_index(i)];
  }
  template <class From> __device__ void Load(From from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      if (haloscope_index(i) < valid) items[i] = from[haloscope_index(i)];
    }
  }
  template <class From, class Other> __device__ void Load(From from, T (&items)[Items], int valid, Other other) {
    for (int i = 0; i < Items; ++i) {
      items[i] = other;
      if (haloscope_index(i) < valid) items[i] = from[haloscope_index(i)];
    }
  }

 private:
  __device__ int haloscope_index(int i) const {
    return How == BLOCK_LOAD_STRIPED ? i * BlockX * BlockY * BlockZ + haloscope_thread() : haloscope_thread() * Items + i;
  }
};
template <class T, int BlockX, int Items, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int BlockY = 1, int BlockZ = 1, int Arch = 0>
class BlockStore {
 public:
  struct TempStorage { int unused; };
  __device__ BlockStore() {}
  __device__ explicit BlockStore(TempStorage &) {}
  template <class To> __device__ void Store(To to, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) to[haloscope_index(i)] = items[i];
  }
  template <class To> __device__ void Store(To to, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      if (haloscope_index(i) < valid) to[haloscope_index(i)] = items[i];
    }
  }

 private:
  __device__ int haloscope_index(int i) const {
    return How == BLOCK_STORE_STRIPED ? i * BlockX * BlockY * BlockZ + haloscope_thread() : haloscope_thread() * Items + i;
  }
};
}
#endif
)cuda";

}  // namespace haloscope
