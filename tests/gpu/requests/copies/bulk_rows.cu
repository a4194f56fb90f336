/* haloscope
title: Rows by bulk copies
book: none; how many sectors a bulk copy counts
idea: Each block has ROWS rows of BYTES bytes copied into shared memory, the first SHIFT vectors behind the beginning of the array. The hardware's counters show which sectors of L1, L2 and DRAM that takes.
order: 1
compute_capability: 9.0
sizes:
  N: {default: 65536, min: 64, max: 4194304, meaning: rows}
tunables:
  ROWS: {default: 4, min: 1, max: 64, meaning: rows per block}
  BYTES: {default: 512, min: 16, max: 4096, meaning: bytes per row}
  SHIFT: {default: 0, min: 0, max: 8, meaning: vectors of 16 bytes before the first row}
requires: [N % ROWS == 0, BYTES % 16 == 0, ROWS * BYTES <= 48000]
arrays:
  in: {shape: [N * BYTES / 4 + 32]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / ROWS), 1, 1]
  block: [64, 1, 1]
*/
#include <cuda/ptx>

#ifndef ROWS
#define ROWS 4
#endif
#ifndef BYTES
#define BYTES 512
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

namespace ptx = cuda::ptx;

__global__ void bulk_rows(const float* in, float* out, int N) {
  __shared__ __align__(128) float rows_s[ROWS][BYTES / 4];
  __shared__ uint64_t arrived_s;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived_s, 1);
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived_s, ROWS * BYTES);
    for (int r = 0; r < ROWS; ++r) {
      const float* row = in + 4 * SHIFT + (blockIdx.x * ROWS + r) * (BYTES / 4);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows_s[r], row, BYTES, &arrived_s);
    }
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived_s, 0)) {}
  if (threadIdx.x < ROWS) { out[blockIdx.x * ROWS + threadIdx.x] = rows_s[threadIdx.x][0]; }
}
