/* haloscope
title: First derivative, 5 points
book: PMPP 4e, section 8.1
idea: One more point on each side cancels the next error term and leaves order h⁴; two points at each end keep their value.
order: 0
sizes:
  N: {default: 64, min: 1, max: 67108864, meaning: grid points}
tunables:
  BLOCK_X: {default: 32, min: 1, max: 1024, meaning: threads per block}
precision: {macro: REAL, types: [float, double, half]}
arrays:
  in:
    shape: [N]
    values: x^2 / 2
  out: {shape: [N]}
  c: {shape: [5]}
launch:
  grid: [ceil(N / BLOCK_X), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[-2], [-1], [0], [1], [2]]
  border: keeps its value
first_derivative: [1/12, -8/12, 0, 8/12, -1/12]
op_per_byte: 9 / (5 * sizeof(REAL))
*/
#include <cuda_fp16.h>

#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[5];

// c = 1/(12h), -8/(12h), 0,
// 8/(12h), -1/(12h): the derivative of in.
__global__ void derivative(const REAL* in, REAL* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 2 && i < N - 2) {
    out[i] = c[0] * in[i - 2]
           + c[1] * in[i - 1]
           + c[2] * in[i]
           + c[3] * in[i + 1]
           + c[4] * in[i + 2];
  }
}
