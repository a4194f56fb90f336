/* haloscope
title: Asynchronous copies by some lanes of a warp
book: none; how many sectors an asynchronous copy counts
idea: Of each warp only the lanes in LANES copy, and each copies BYTES bytes of its own to shared memory, STRIDE bytes from one lane to the next and SHIFT bytes behind the beginning of the array. The hardware's counters show what such a request costs.
order: 2
sizes:
  N: {default: 1048576, min: 32, max: 16777216, meaning: threads}
tunables:
  LANES: {default: 4294967295, min: 1, max: 4294967295, meaning: "lanes that copy, one bit for each"}
  BYTES: {default: 16, min: 4, max: 16, meaning: "bytes that a lane copies: 4, 8 or 16"}
  STRIDE: {default: 16, min: 0, max: 128, meaning: bytes from one lane to the next}
  SHIFT: {default: 0, min: 0, max: 128, meaning: bytes before the first lane's}
requires: [BYTES == 4 || BYTES == 8 || BYTES == 16, STRIDE % BYTES == 0, SHIFT % BYTES == 0, N % 32 == 0]
arrays:
  in: {shape: [STRIDE * N / 4 + 64]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 256), 1, 1]
  block: [256, 1, 1]
*/
#include <cuda_pipeline.h>

#ifndef LANES
#define LANES 0xffffffff
#endif
#ifndef BYTES
#define BYTES 16
#endif
#ifndef STRIDE
#define STRIDE 16
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

__global__ void async_lanes(const float* in, float* out, int N) {
  __shared__ __align__(16) float copied_s[256][4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool copies = unsigned(LANES) >> (threadIdx.x % 32) & 1;
  if (copies) { __pipeline_memcpy_async(copied_s[threadIdx.x], in + (SHIFT + i * STRIDE) / 4, BYTES); }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = copies ? copied_s[threadIdx.x][0] : 0;
}
