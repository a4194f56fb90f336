#pragma once

namespace haloscope::preludes {

/// A text that logs its copies has this in its prologue: see kLoggedCopies.
inline constexpr char kLogsCopies[] = "HALOSCOPE_LOGS_COPIES";

/// Read between the primitives and the functions that are made of them: these use what logs them. It is defined in
/// kLoggedCopies, behind kLogPrelude.
inline constexpr char kUseOfLoggedCopies[] = R"cuda(
__device__ void haloscope_logged_memcpy(void *to, const void *from, size_t bytes, size_t zeros = 0);
__device__ void haloscope_logged_commit();
__device__ void haloscope_logged_wait(size_t batches);
__device__ void haloscope_logged_commit_to(const void *barrier);
__device__ void haloscope_logged_init(void *barrier, unsigned int arrivals);
__device__ void haloscope_logged_inval(void *barrier);
__device__ unsigned long long haloscope_logged_arrive(const void *barrier, unsigned int arrivals, unsigned int bytes);
__device__ unsigned long long haloscope_logged_arrive_drop(const void *barrier, unsigned int arrivals);
__device__ void haloscope_logged_expect(const void *barrier, unsigned int bytes);
__device__ bool haloscope_logged_asks_phase(const void *barrier, unsigned long long phase);
__device__ bool haloscope_logged_asks_parity(const void *barrier, unsigned int parity);
__device__ void haloscope_logged_await_phase(const void *barrier, unsigned long long phase);
__device__ void haloscope_logged_await_parity(const void *barrier, unsigned int parity);
__device__ void haloscope_logged_bulk_copy(void *to, const void *from, unsigned int bytes, const void *barrier);
__device__ void haloscope_logged_bulk_store(void *to, const void *from, unsigned int bytes);
__device__ void haloscope_logged_bulk_commit();
__device__ void haloscope_logged_bulk_wait(unsigned int batches);
__device__ void *haloscope_logged_map(const void *p, unsigned int rank);
#define HALOSCOPE_LOGS_COPIES
#define __pipeline_memcpy_async haloscope_logged_memcpy
#define __pipeline_commit haloscope_logged_commit
#define __pipeline_wait_prior haloscope_logged_wait
#define haloscope_commit_copies haloscope_logged_commit_to
#define haloscope_barrier_init haloscope_logged_init
#define haloscope_barrier_inval haloscope_logged_inval
#define haloscope_barrier_arrive haloscope_logged_arrive
#define haloscope_barrier_arrive_drop haloscope_logged_arrive_drop
#define haloscope_barrier_expect haloscope_logged_expect
#define haloscope_barrier_asks_phase haloscope_logged_asks_phase
#define haloscope_barrier_asks_parity haloscope_logged_asks_parity
#define haloscope_barrier_await_phase haloscope_logged_await_phase
#define haloscope_barrier_await_parity haloscope_logged_await_parity
#define haloscope_bulk_copy haloscope_logged_bulk_copy
#define haloscope_bulk_store haloscope_logged_bulk_store
#define haloscope_bulk_commit haloscope_logged_bulk_commit
#define haloscope_bulk_wait haloscope_logged_bulk_wait
#define __cluster_map_shared_rank haloscope_logged_map
)cuda";

/// The numbers are those of LogPrimitive.
inline constexpr char kLoggedCopies[] = R"cuda(
#ifdef HALOSCOPE_LOGS_COPIES
#undef __pipeline_memcpy_async
#undef __pipeline_commit
#undef __pipeline_wait_prior
#undef haloscope_commit_copies
#undef haloscope_barrier_init
#undef haloscope_barrier_inval
#undef haloscope_barrier_arrive
#undef haloscope_barrier_arrive_drop
#undef haloscope_barrier_expect
#undef haloscope_barrier_asks_phase
#undef haloscope_barrier_asks_parity
#undef haloscope_barrier_await_phase
#undef haloscope_barrier_await_parity
#undef haloscope_bulk_copy
#undef haloscope_bulk_store
#undef haloscope_bulk_commit
#undef haloscope_bulk_wait
#undef __cluster_map_shared_rank
namespace haloscope_log {
constexpr unsigned int most_copied = 512;  // bytes in one entry
__device__ inline void primitive(unsigned int which) { room(12, which, 0); }
__device__ inline void primitive(unsigned int which, unsigned int value) {
  if (unsigned int *to = room(12, which, 1)) to[0] = value;
}
__device__ inline void primitive(unsigned int which, const void *address) {
  if (unsigned int *to = room(12, which, 2)) putAddress(to, (unsigned long long)address);
}
/// What is copied is read at the source when the copy is issued.
__device__ inline void copy(const void *to, const void *from, unsigned int bytes, unsigned int zeros) {
  unsigned int words = (bytes - zeros + 3u) / 4u;
  if (unsigned int *at = room(12, 0, 6 + words)) {
    putAddress(at, (unsigned long long)to);
    putAddress(at + 2, (unsigned long long)from);
    at[4] = bytes;
    at[5] = zeros;
    putWords(at + 6, (const unsigned int *)from, words);
  }
}
__device__ inline void copies(void *to, const void *from, unsigned int bytes) {
  for (unsigned int at = 0; at < bytes; at += most_copied)
    copy((char *)to + at, (const char *)from + at, bytes - at < most_copied ? bytes - at : most_copied, 0);
}
__device__ inline void barrier(unsigned int action, const void *barrier, unsigned long long b, unsigned int c,
                               unsigned long long result) {
  if (unsigned int *to = room(12, 7 + action, 7)) {
    putAddress(to, (unsigned long long)barrier);
    putAddress(to + 2, b);
    to[4] = c;
    putAddress(to + 5, result);
  }
}
}
__device__ inline void haloscope_logged_memcpy(void *to, const void *from, size_t bytes, size_t zeros) {
  haloscope_log::copy(to, from, (unsigned int)bytes, (unsigned int)zeros);
  if (bytes == 4) __pipeline_memcpy_async(to, from, 4, zeros);
  if (bytes == 8) __pipeline_memcpy_async(to, from, 8, zeros);
  if (bytes == 16) __pipeline_memcpy_async(to, from, 16, zeros);
}
__device__ inline void haloscope_logged_commit() {
  haloscope_log::primitive(1);
  __pipeline_commit();
}
__device__ inline void haloscope_logged_commit_to(const void *barrier) {
  haloscope_log::primitive(2, barrier);
  haloscope_commit_copies(barrier);
}
__device__ inline void haloscope_logged_wait(size_t batches) {
  __pipeline_wait_prior(batches);
  haloscope_log::primitive(3, (unsigned int)batches);
}
__device__ inline void haloscope_logged_bulk_commit() {
  haloscope_log::primitive(4);
  haloscope_bulk_commit();
}
__device__ inline void haloscope_logged_bulk_wait(unsigned int batches) {
  haloscope_bulk_wait(batches);
  haloscope_log::primitive(5, batches);
}
__device__ inline void *haloscope_logged_map(const void *p, unsigned int rank) {
  void *there = __cluster_map_shared_rank(p, rank);
  if (unsigned int *to = haloscope_log::room(12, 6, 5)) {
    haloscope_log::putAddress(to, (unsigned long long)p);
    to[2] = rank;
    haloscope_log::putAddress(to + 3, (unsigned long long)there);
  }
  return there;
}
__device__ inline void haloscope_logged_init(void *barrier, unsigned int arrivals) {
  haloscope_barrier_init(barrier, arrivals);
  haloscope_log::barrier(0, barrier, arrivals, 0, 0);
}
__device__ inline void haloscope_logged_inval(void *barrier) {
  haloscope_barrier_inval(barrier);
  haloscope_log::barrier(1, barrier, 0, 0, 0);
}
__device__ inline unsigned long long haloscope_logged_arrive(const void *barrier, unsigned int arrivals,
                                                             unsigned int bytes) {
  unsigned long long phase = haloscope_barrier_arrive(barrier, arrivals, bytes);
  haloscope_log::barrier(2, barrier, arrivals, bytes, phase);
  return phase;
}
__device__ inline unsigned long long haloscope_logged_arrive_drop(const void *barrier, unsigned int arrivals) {
  unsigned long long phase = haloscope_barrier_arrive_drop(barrier, arrivals);
  haloscope_log::barrier(3, barrier, arrivals, 0, phase);
  return phase;
}
__device__ inline void haloscope_logged_expect(const void *barrier, unsigned int bytes) {
  haloscope_barrier_expect(barrier, bytes);
  haloscope_log::barrier(4, barrier, 0, bytes, 0);
}
__device__ inline bool haloscope_logged_asks_phase(const void *barrier, unsigned long long phase) {
  bool over = haloscope_barrier_asks_phase(barrier, phase);
  haloscope_log::barrier(5, barrier, phase, 0, over);
  return over;
}
__device__ inline bool haloscope_logged_asks_parity(const void *barrier, unsigned int parity) {
  bool over = haloscope_barrier_asks_parity(barrier, parity);
  haloscope_log::barrier(6, barrier, parity, 0, over);
  return over;
}
__device__ inline void haloscope_logged_await_phase(const void *barrier, unsigned long long phase) {
  haloscope_barrier_await_phase(barrier, phase);
  haloscope_log::barrier(7, barrier, phase, 0, 0);
}
__device__ inline void haloscope_logged_await_parity(const void *barrier, unsigned int parity) {
  haloscope_barrier_await_parity(barrier, parity);
  haloscope_log::barrier(8, barrier, parity, 0, 0);
}
__device__ inline void haloscope_logged_bulk_copy(void *to, const void *from, unsigned int bytes, const void *barrier) {
  haloscope_log::copies(to, from, bytes);
  haloscope_log::primitive(2, barrier);
  haloscope_bulk_copy(to, from, bytes, barrier);
}
__device__ inline void haloscope_logged_bulk_store(void *to, const void *from, unsigned int bytes) {
  haloscope_log::copies(to, from, bytes);
  haloscope_bulk_store(to, from, bytes);
}
#define __pipeline_memcpy_async haloscope_logged_memcpy
#define __pipeline_commit haloscope_logged_commit
#define __pipeline_wait_prior haloscope_logged_wait
#define __cluster_map_shared_rank haloscope_logged_map
#endif
)cuda";

}  // namespace haloscope::preludes
