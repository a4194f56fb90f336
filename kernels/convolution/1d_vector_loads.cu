/* haloscope
title: Four 1D outputs per thread, vector loads
book: PMPP 4e, section 7.3, coarsened with vector loads; beyond the book
idea: A thread reads the inputs of four neighbouring outputs four at a time into registers, and writes the outputs as one vector.
extends: convolution/1d_constant
order: 14
sizes:
  width: {default: 512, min: 1, max: 67108864, meaning: array elements}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 8, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 32, min: 1, max: 1024, meaning: threads per block}
arrays:
  in: {shape: [width]}
  out: {shape: [width]}
  filter: {shape: [2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (4 * BLOCK_X)), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 4 * 2 * (2 * FILTER_RADIUS + 1) / (16 * (2 * ceil(FILTER_RADIUS / 4) + 1))
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 2
#endif
#define HALO ((FILTER_RADIUS + 3) / 4)  // vectors on each side of the thread's own

__constant__ float filter[2 * FILTER_RADIUS + 1];

__global__ void convolution(const float* in, float* out, int width) {
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

  if (first < width) {
    float window[4 * (2 * HALO + 1)];
    #pragma unroll
    for (int v = 0; v < 2 * HALO + 1; ++v) {
      int from = first + 4 * (v - HALO);
      float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (from >= 0 && from + 3 < width) {
        four = *reinterpret_cast<const float4*>(in + from);
      } else if (from >= 0) {  // the end of the array
        if (from < width) four.x = in[from];
        if (from + 1 < width) four.y = in[from + 1];
        if (from + 2 < width) four.z = in[from + 2];
      }
      window[4 * v] = four.x;
      window[4 * v + 1] = four.y;
      window[4 * v + 2] = four.z;
      window[4 * v + 3] = four.w;
    }

    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    #pragma unroll
    for (int o = 0; o < 4; ++o) {
      #pragma unroll
      for (int f = 0; f < 2 * FILTER_RADIUS + 1; ++f) {
        sums[o] += filter[f] * window[4 * HALO - FILTER_RADIUS + o + f];
      }
    }

    if (first + 3 < width) {
      *reinterpret_cast<float4*>(out + first) = make_float4(sums[0], sums[1], sums[2], sums[3]);
    } else {
      for (int o = 0; first + o < width; ++o) {
        out[first + o] = sums[o];
      }
    }
  }
}
