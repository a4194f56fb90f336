#pragma once

namespace haloscope::frontend {

/// The replacement for <cuda_pipeline.h>, <cuda/barrier> and <cuda/pipeline>, read before files that name one of them
/// or cooperative groups.
inline constexpr char kAsyncCopies[] = R"cuda(
__device__ void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t batches);
// With the barrier that copies are committed to, and the number of threads that it is for.
__device__ void haloscope_commit_copies(const void *barrier);
__device__ void haloscope_wait_for_copies(const void *barrier, unsigned int threads);

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
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
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

// A barrier of the whole block: arriving is not told from waiting, before which other threads' copies are not there.
template <thread_scope Scope> class barrier {
 public:
  struct arrival_token {};
  __device__ arrival_token arrive(ptrdiff_t = 1) { return arrival_token(); }
  __device__ void wait(const arrival_token &) const {
    haloscope_wait_for_copies(&haloscope_threads, haloscope_threads);
    __syncthreads();
  }
  __device__ void wait_parity(bool) const {
    haloscope_wait_for_copies(&haloscope_threads, haloscope_threads);
    __syncthreads();
  }
  __device__ void arrive_and_wait() {
    haloscope_wait_for_copies(&haloscope_threads, haloscope_threads);
    __syncthreads();
  }
  __device__ void arrive_and_drop();
  unsigned int haloscope_threads, haloscope_padding;
};
template <thread_scope Scope> __device__ inline void init(barrier<Scope> *one, ptrdiff_t threads) {
  one->haloscope_threads = (unsigned int)threads;
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
  haloscope_commit_copies(&barrier.haloscope_threads);
}
template <class T, class Size, thread_scope Scope>
__device__ inline void memcpy_async(T *to, const T *from, Size bytes, barrier<Scope> &barrier) {
  haloscope_copy<haloscope_alignment<T, Size>::of>(0u, 1u, to, from, bytes);
  haloscope_commit_copies(&barrier.haloscope_threads);
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

}  // namespace haloscope::frontend
