#pragma once

namespace haloscope::preludes {

/// kCopyPrimitives and what else the replacements of CUDA's headers are made of, for NVIDIA's compiler: each is the
/// instruction that its name says.
inline constexpr char kCopiesOfGpu[] = R"cuda(
#define haloscope_clusterDim __clusterDim()
__device__ inline void haloscope_sync_grid() { __trap(); }
__device__ inline unsigned int haloscope_in_shared(const void *p) { return (unsigned int)__cvta_generic_to_shared(p); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HALOSCOPE_FROM_90(...) asm volatile(__VA_ARGS__)
#else
#define HALOSCOPE_FROM_90(...) __trap()
__device__ inline void *__cluster_map_shared_rank(const void *, unsigned int) { __trap(); return nullptr; }
#endif
__device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  unsigned int at = haloscope_in_shared(to), read = (unsigned int)(bytes - zeros);
  size_t source = __cvta_generic_to_global(from);
  if (bytes == 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(source), "r"(read) : "memory");
  if (bytes == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(source), "r"(read) : "memory");
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(source), "r"(read) : "memory");
}
__device__ inline void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// More than may remain here waits for fewer, which is allowed.
__device__ inline void __pipeline_wait_prior(size_t batches) {
  if (batches == 0) asm volatile("cp.async.wait_group 0;" ::: "memory");
  if (batches == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
  if (batches == 2) asm volatile("cp.async.wait_group 2;" ::: "memory");
  if (batches == 3) asm volatile("cp.async.wait_group 3;" ::: "memory");
  if (batches == 4) asm volatile("cp.async.wait_group 4;" ::: "memory");
  if (batches == 5) asm volatile("cp.async.wait_group 5;" ::: "memory");
  if (batches == 6) asm volatile("cp.async.wait_group 6;" ::: "memory");
  if (batches == 7) asm volatile("cp.async.wait_group 7;" ::: "memory");
  if (batches >= 8) asm volatile("cp.async.wait_group 8;" ::: "memory");
}
__device__ inline void haloscope_commit_copies(const void *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(haloscope_in_shared(barrier)) : "memory");
}
__device__ inline void haloscope_barrier_init(void *barrier, unsigned int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(haloscope_in_shared(barrier)), "r"(arrivals) : "memory");
}
__device__ inline void haloscope_barrier_inval(void *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(haloscope_in_shared(barrier)) : "memory");
}
__device__ inline void haloscope_barrier_expect(const void *barrier, unsigned int bytes) {
  HALOSCOPE_FROM_90("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(haloscope_in_shared(barrier)),
                    "r"(bytes) : "memory");
}
__device__ inline unsigned long long haloscope_barrier_arrive(const void *barrier, unsigned int arrivals,
                                                              unsigned int bytes) {
  unsigned long long phase = 0;
  if (bytes != 0) haloscope_barrier_expect(barrier, bytes);
  // All of one phase: it does not end before the last.
  for (unsigned int i = 0; i < arrivals; ++i)
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(haloscope_in_shared(barrier)) : "memory");
  return phase;
}
__device__ inline unsigned long long haloscope_barrier_arrive_drop(const void *barrier, unsigned int arrivals) {
  unsigned long long phase = 0;
  for (unsigned int i = 0; i < arrivals; ++i)
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(phase) : "r"(haloscope_in_shared(barrier)) : "memory");
  return phase;
}
__device__ inline bool haloscope_barrier_asks_phase(const void *barrier, unsigned long long phase) {
  unsigned int over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(over) : "r"(haloscope_in_shared(barrier)), "l"(phase) : "memory");
  return over != 0;
}
__device__ inline bool haloscope_barrier_asks_parity(const void *barrier, unsigned int parity) {
  unsigned int over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(over) : "r"(haloscope_in_shared(barrier)), "r"(parity & 1u) : "memory");
  return over != 0;
}
__device__ inline void haloscope_barrier_await_phase(const void *barrier, unsigned long long phase) {
  while (!haloscope_barrier_asks_phase(barrier, phase)) {}
}
__device__ inline void haloscope_barrier_await_parity(const void *barrier, unsigned int parity) {
  while (!haloscope_barrier_asks_parity(barrier, parity)) {}
}
__device__ inline void haloscope_bulk_copy(void *to, const void *from, unsigned int bytes, const void *barrier) {
  HALOSCOPE_FROM_90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                        haloscope_in_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),
                    "r"(haloscope_in_shared(barrier)) : "memory");
}
__device__ inline void haloscope_bulk_store(void *to, const void *from, unsigned int bytes) {
  HALOSCOPE_FROM_90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                    "r"(haloscope_in_shared(from)), "r"(bytes) : "memory");
}
__device__ inline void haloscope_bulk_commit() { HALOSCOPE_FROM_90("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ inline void haloscope_bulk_wait(unsigned int batches) {
  if (batches == 0) HALOSCOPE_FROM_90("cp.async.bulk.wait_group 0;" ::: "memory");
  if (batches == 1) HALOSCOPE_FROM_90("cp.async.bulk.wait_group 1;" ::: "memory");
  if (batches == 2) HALOSCOPE_FROM_90("cp.async.bulk.wait_group 2;" ::: "memory");
  if (batches >= 3) HALOSCOPE_FROM_90("cp.async.bulk.wait_group 3;" ::: "memory");
}
__device__ inline void haloscope_fence_proxy_async() { HALOSCOPE_FROM_90("fence.proxy.async;" ::: "memory"); }
)cuda";

}  // namespace haloscope::preludes
