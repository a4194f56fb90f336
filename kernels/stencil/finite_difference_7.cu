/* haloscope
title: First derivative, 7 points
book: PMPP 4e, section 8.1
idea: Three points on each side leave an error of order h⁶; at small spacings the rounding error is larger.
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
  c: {shape: [7]}
launch:
  grid: [ceil(N / BLOCK_X), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[-3], [-2], [-1], [0], [1], [2], [3]]
  border: keeps its value
first_derivative: [-1/60, 9/60, -45/60, 0, 45/60, -9/60, 1/60]
op_per_byte: 13 / (7 * sizeof(REAL))
*/
#include <cuda_fp16.h>

#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[7];

// c = -1/(60h), 9/(60h), -45/(60h), 0,
// 45/(60h), -9/(60h), 1/(60h):
// out is the derivative of in.
__global__ void derivative(const REAL* in, REAL* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 3 && i < N - 3) {
    out[i] = c[0] * in[i - 3]
           + c[1] * in[i - 2]
           + c[2] * in[i - 1]
           + c[3] * in[i]
           + c[4] * in[i + 1]
           + c[5] * in[i + 2]
           + c[6] * in[i + 3];
  }
}
