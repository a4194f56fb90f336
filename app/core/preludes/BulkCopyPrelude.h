#pragma once

namespace haloscope::preludes {

/// Of <cuda/barrier> and <cuda/ptx> what concerns bulk copies, read behind kAsyncCopies.
inline constexpr char kBulkCopies[] = R"cuda(
#define __cccl_lib_local_barrier_arrive_tx 1
#define __cccl_lib_experimental_ctk12_cp_async_exposure 1

namespace cuda {
namespace device {
typedef barrier<thread_scope_block> haloscope_barrier;
__device__ inline uint64_t *barrier_native_handle(haloscope_barrier &one) { return (uint64_t *)&one.haloscope_word; }
__device__ inline haloscope_barrier::arrival_token barrier_arrive_tx(haloscope_barrier &one, ptrdiff_t arrivals,
                                                                     ptrdiff_t bytes) {
  return {haloscope_barrier_arrive(&one.haloscope_word, (unsigned int)arrivals, (unsigned int)bytes)};
}
__device__ inline void barrier_expect_tx(haloscope_barrier &one, ptrdiff_t bytes) {
  haloscope_barrier_expect(&one.haloscope_word, (unsigned int)bytes);
}
template <class T, size_t Alignment>
__device__ inline void memcpy_async_tx(T *to, const T *from, aligned_size_t<Alignment> bytes, haloscope_barrier &one) {
  static_assert(Alignment >= 16, "memcpy_async_tx copies what is aligned to 16 bytes");
  haloscope_bulk_copy(to, from, (unsigned int)bytes.value, &one.haloscope_word);
}
namespace experimental {
using device::barrier_arrive_tx;
using device::barrier_expect_tx;
__device__ inline void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes,
                                                      haloscope_barrier &one) {
  haloscope_bulk_copy(to, from, bytes, &one.haloscope_word);
}
__device__ inline void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes) {
  haloscope_bulk_store(to, from, bytes);
}
__device__ inline void cp_async_bulk_commit_group() { haloscope_bulk_commit(); }
template <int Groups> __device__ inline void cp_async_bulk_wait_group_read() { haloscope_bulk_wait(Groups); }
__device__ inline void fence_proxy_async_shared_cta() { haloscope_fence_proxy_async(); }
}
}

namespace ptx {
enum sem_release_t { sem_release };
enum sem_acquire_t { sem_acquire };
enum sem_relaxed_t { sem_relaxed };
enum scope_cta_t { scope_cta };
enum scope_cluster_t { scope_cluster };
enum space_shared_t { space_shared };
enum space_cluster_t { space_cluster };
enum space_global_t { space_global };
template <int N> struct n32_t { static constexpr int value = N; };
template <int N> __device__ constexpr n32_t<N> n32() { return n32_t<N>(); }

__device__ inline void mbarrier_init(uint64_t *one, const uint32_t &arrivals) { haloscope_barrier_init(one, arrivals); }
__device__ inline void mbarrier_inval(uint64_t *one) { haloscope_barrier_inval(one); }
__device__ inline uint64_t mbarrier_arrive(const uint64_t *one) { return haloscope_barrier_arrive(one, 1, 0); }
__device__ inline uint64_t mbarrier_arrive(const uint64_t *one, const uint32_t &arrivals) {
  return haloscope_barrier_arrive(one, arrivals, 0);
}
template <class Scope> __device__ inline uint64_t mbarrier_arrive(sem_release_t, Scope, space_shared_t, uint64_t *one) {
  return haloscope_barrier_arrive(one, 1, 0);
}
template <class Scope>
__device__ inline uint64_t mbarrier_arrive(sem_release_t, Scope, space_shared_t, uint64_t *one,
                                           const uint32_t &arrivals) {
  return haloscope_barrier_arrive(one, arrivals, 0);
}
template <class Sem, class Scope>
__device__ inline uint64_t mbarrier_arrive_expect_tx(Sem, Scope, space_shared_t, uint64_t *one, const uint32_t &bytes) {
  return haloscope_barrier_arrive(one, 1, bytes);
}
template <class Scope, class Space>
__device__ inline void mbarrier_expect_tx(sem_relaxed_t, Scope, Space, uint64_t *one, const uint32_t &bytes) {
  haloscope_barrier_expect(one, bytes);
}
// PTX lets a try wait for as long as it likes.
__device__ inline bool mbarrier_try_wait(uint64_t *one, const uint64_t &state) {
  haloscope_barrier_await_phase(one, state);
  return true;
}
__device__ inline bool mbarrier_try_wait_parity(uint64_t *one, const uint32_t &parity) {
  haloscope_barrier_await_parity(one, parity);
  return true;
}
__device__ inline bool mbarrier_try_wait_parity(uint64_t *one, const uint32_t &parity, const uint32_t &) {
  haloscope_barrier_await_parity(one, parity);
  return true;
}
template <class Scope>
__device__ inline bool mbarrier_try_wait(sem_acquire_t, Scope, uint64_t *one, const uint64_t &state) {
  haloscope_barrier_await_phase(one, state);
  return true;
}
template <class Scope>
__device__ inline bool mbarrier_try_wait_parity(sem_acquire_t, Scope, uint64_t *one, const uint32_t &parity) {
  haloscope_barrier_await_parity(one, parity);
  return true;
}
__device__ inline bool mbarrier_test_wait(uint64_t *one, const uint64_t &state) {
  return haloscope_barrier_asks_phase(one, state);
}
__device__ inline bool mbarrier_test_wait_parity(uint64_t *one, const uint32_t &parity) {
  return haloscope_barrier_asks_parity(one, parity);
}

__device__ inline void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, const uint32_t &bytes,
                                     uint64_t *one) {
  haloscope_bulk_copy(to, from, bytes, one);
}
__device__ inline void cp_async_bulk(space_shared_t, space_global_t, void *to, const void *from, const uint32_t &bytes,
                                     uint64_t *one) {
  haloscope_bulk_copy(to, from, bytes, one);
}
__device__ inline void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from,
                                     const uint32_t &bytes) {
  haloscope_bulk_store(to, from, bytes);
}
__device__ inline void cp_async_bulk_commit_group() { haloscope_bulk_commit(); }
template <int N> __device__ inline void cp_async_bulk_wait_group(n32_t<N>) { haloscope_bulk_wait(N); }
template <int N> __device__ inline void cp_async_bulk_wait_group_read(n32_t<N>) { haloscope_bulk_wait(N); }
__device__ inline void fence_proxy_async() { haloscope_fence_proxy_async(); }
template <class Space> __device__ inline void fence_proxy_async(Space) { haloscope_fence_proxy_async(); }
__device__ inline void fence_mbarrier_init(sem_release_t, scope_cluster_t) {}
}
}
)cuda";

}  // namespace haloscope::preludes
