#pragma once

namespace haloscope::preludes {

/// What the functions below do is done by these, which the front end lowers itself.
inline constexpr char kCopyPrimitives[] = R"cuda(
__device__ void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t batches);
// With the barrier that copies are committed to.
__device__ void haloscope_commit_copies(const void *barrier);
// Barriers in shared memory, which threads and copies arrive at.
__device__ void haloscope_barrier_init(void *barrier, unsigned int arrivals);
__device__ void haloscope_barrier_inval(void *barrier);
__device__ unsigned long long haloscope_barrier_arrive(const void *barrier, unsigned int arrivals, unsigned int bytes);
__device__ unsigned long long haloscope_barrier_arrive_drop(const void *barrier, unsigned int arrivals);
__device__ void haloscope_barrier_expect(const void *barrier, unsigned int bytes);
__device__ bool haloscope_barrier_asks_phase(const void *barrier, unsigned long long phase);
__device__ bool haloscope_barrier_asks_parity(const void *barrier, unsigned int parity);
__device__ void haloscope_barrier_await_phase(const void *barrier, unsigned long long phase);
__device__ void haloscope_barrier_await_parity(const void *barrier, unsigned int parity);
__device__ void haloscope_bulk_copy(void *shared, const void *global, unsigned int bytes, const void *barrier);
__device__ void haloscope_bulk_store(void *global, const void *shared, unsigned int bytes);
__device__ void haloscope_bulk_commit();
__device__ void haloscope_bulk_wait(unsigned int batches);
__device__ void haloscope_fence_proxy_async();
)cuda";

/// The replacement for <cuda_pipeline.h>, <cuda/barrier>, <cuda/pipeline> and <cuda/ptx>, read before files that name
/// one of them or cooperative groups; behind kCopyPrimitives and kThreadScopes.
inline constexpr char kAsyncCopies[] = R"cuda(
template <class T> struct haloscope_element { typedef T type; static constexpr size_t alignment = alignof(T); };
template <> struct haloscope_element<void> { typedef unsigned int type; static constexpr size_t alignment = 1; };
// A group's copy: one of 4, 8 or 16 bytes after the other, as the alignment allows, each by the next thread.
template <size_t Alignment, class T>
__device__ inline void haloscope_copy(unsigned int rank, unsigned int threads, T *to, const T *from, size_t bytes) {
  static_assert(Alignment >= 4, "asynchronous copies are of types aligned to 4 bytes or more here");
  typedef typename haloscope_element<T>::type element;
  constexpr size_t each = Alignment > 16 ? 16 : Alignment;
  for (size_t at = rank; at < bytes / each; at += threads)
    __pipeline_memcpy_async((element *)((char *)to + at * each), (const element *)((const char *)from + at * each), each);
}

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __device__ explicit constexpr aligned_size_t(size_t size) : value(size) {}
  __device__ constexpr operator size_t() const { return value; }
};
template <class T, class Size> struct haloscope_alignment {
  static constexpr size_t of = haloscope_element<T>::alignment;
};
template <class T, size_t Alignment> struct haloscope_alignment<T, aligned_size_t<Alignment>> {
  static constexpr size_t of = Alignment;
};

template <thread_scope Scope> class barrier {
 public:
  struct arrival_token { unsigned long long haloscope_phase; };
  __device__ arrival_token arrive(ptrdiff_t count = 1) {
    return {haloscope_barrier_arrive(&haloscope_word, (unsigned int)count, 0)};
  }
  __device__ void wait(const arrival_token &token) const {
    haloscope_barrier_await_phase(&haloscope_word, token.haloscope_phase);
  }
  __device__ void wait_parity(bool parity) const { haloscope_barrier_await_parity(&haloscope_word, parity); }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { haloscope_barrier_arrive_drop(&haloscope_word, 1); }
  unsigned long long haloscope_word;
};
template <thread_scope Scope> __device__ inline void init(barrier<Scope> *one, ptrdiff_t threads) {
  haloscope_barrier_init(&one->haloscope_word, (unsigned int)threads);
}

template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
  unsigned long long haloscope_state[2 * Stages + 1];
};
template <thread_scope Scope> class pipeline {
 public:
  __device__ void producer_acquire() {
    if (Scope == thread_scope_block) {
      if (haloscope_head >= haloscope_stages) __syncthreads();
    }
  }
  __device__ void producer_commit() {
    __pipeline_commit();
    ++haloscope_head;
  }
  __device__ void consumer_wait() {
    if (Scope == thread_scope_block) {
      __pipeline_wait_prior(haloscope_head - haloscope_tail - 1u);
      __syncthreads();
      ++haloscope_tail;
    } else if (haloscope_head != haloscope_tail) {
      __pipeline_wait_prior(haloscope_head - haloscope_tail - 1u);
      ++haloscope_tail;
    }
  }
  __device__ void consumer_release() {}
  unsigned int haloscope_head, haloscope_tail, haloscope_stages;
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return {0u, 0u, 0u}; }
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *) {
  static_assert(Scope == thread_scope_block, "pipelines are of a thread or a block here");
  group.sync();
  return {0u, 0u, Stages};
}
enum class pipeline_role { producer, consumer };
template <class Group, class State, class Role>
__device__ pipeline<thread_scope_block> make_pipeline(const Group &, State *, Role);
template <unsigned char Prior> __device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
  __pipeline_wait_prior(Prior);
}

template <class Group, class T, class Size, thread_scope Scope>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, Size bytes, pipeline<Scope> &) {
  haloscope_copy<haloscope_alignment<T, Size>::of>(group.thread_rank(), group.size(), to, from, bytes);
}
template <class T, class Size, thread_scope Scope>
__device__ inline void memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &) {
  haloscope_copy<haloscope_alignment<T, Size>::of>(0u, 1u, to, from, bytes);
}
template <class Group, class T, class Size, thread_scope Scope>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, Size bytes, barrier<Scope> &barrier) {
  haloscope_copy<haloscope_alignment<T, Size>::of>(group.thread_rank(), group.size(), to, from, bytes);
  haloscope_commit_copies(&barrier.haloscope_word);
}
template <class T, class Size, thread_scope Scope>
__device__ inline void memcpy_async(T *to, const T *from, Size bytes, barrier<Scope> &barrier) {
  haloscope_copy<haloscope_alignment<T, Size>::of>(0u, 1u, to, from, bytes);
  haloscope_commit_copies(&barrier.haloscope_word);
}
}
)cuda";

/// Of cooperative groups what copies asynchronously, read behind both.
inline constexpr char kAsyncCopiesOfGroups[] = R"cuda(
namespace cooperative_groups {
template <class Group, class T, class Size>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, Size bytes) {
  haloscope_copy<cuda::haloscope_alignment<T, Size>::of>(group.thread_rank(), group.size(), to, from, bytes);
  __pipeline_commit();
}
template <class Group, class T, class To, class From>
__device__ inline void memcpy_async(const Group &group, T *to, To toCount, const T *from, From fromCount) {
  size_t a = toCount, b = fromCount;
  haloscope_copy<alignof(T)>(group.thread_rank(), group.size(), to, from, (a < b ? a : b) * sizeof(T));
  __pipeline_commit();
}
template <unsigned int Batches, class Group> __device__ inline void wait_prior(const Group &group) {
  __pipeline_wait_prior(Batches);
  group.sync();
}
template <class Group> __device__ inline void wait(const Group &group) {
  __pipeline_wait_prior(0);
  group.sync();
}
}
)cuda";

}  // namespace haloscope::preludes
