/* haloscope
title: Vector loads by some lanes of a warp
book: none; how many sectors a load counts
idea: Of each warp only the lanes in LANES load, and each loads a vector of its own. The hardware's counters show what such a request costs.
order: 1
sizes:
  N: {default: 1048576, min: 32, max: 268435456, meaning: threads}
tunables:
  LANES: {default: 1, min: 1, max: 4294967295, meaning: "lanes that load, one bit for each"}
  FLOATS: {default: 4, min: 1, max: 4, meaning: "elements of the vector: 1, 2 or 4"}
  STRIDE: {default: 1, min: 1, max: 32, meaning: vectors from one lane to the next}
  USED: {default: 4, min: 1, max: 4, meaning: elements of the vector that the sum needs}
requires: [FLOATS != 3, USED <= FLOATS, N % 32 == 0]
arrays:
  in: {shape: [FLOATS * STRIDE * N]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 256), 1, 1]
  block: [256, 1, 1]
*/
#ifndef LANES
#define LANES 1
#endif
#ifndef FLOATS
#define FLOATS 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef USED
#define USED FLOATS
#endif

__global__ void some_lanes(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) { return; }
  float sum = 0;
  if (unsigned(LANES) >> (threadIdx.x % 32) & 1) {
#if FLOATS == 4
    float4 v = reinterpret_cast<const float4*>(in)[i * STRIDE];
    sum = v.x;
    if (USED > 1) { sum += v.y; }
    if (USED > 2) { sum += v.z; }
    if (USED > 3) { sum += v.w; }
#elif FLOATS == 2
    float2 v = reinterpret_cast<const float2*>(in)[i * STRIDE];
    sum = v.x;
    if (USED > 1) { sum += v.y; }
#else
    sum = in[i * STRIDE];
#endif
  }
  out[i] = sum;
}
