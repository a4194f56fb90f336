/* haloscope
title: First derivative, 3 points
book: PMPP 4e, section 8.1
idea: The difference of the two neighbours divided by twice the spacing is the first derivative, with an error of order h².
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
  c: {shape: [3]}
launch:
  grid: [ceil(N / BLOCK_X), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[-1], [0], [1]]
  border: keeps its value
first_derivative: [-1/2, 0, 1/2]
op_per_byte: 5 / (3 * sizeof(REAL))
*/
#include <cuda_fp16.h>

#ifndef REAL
#define REAL float
#endif

__constant__ REAL c[3];

// c = -1/(2h), 0, 1/(2h):
// out is the derivative of in. Products
// and sums are rounded to REAL; in half this
// is comparable to the rounding of in.
__global__ void derivative(const REAL* in, REAL* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1) {
    out[i] = c[0] * in[i - 1]
           + c[1] * in[i]
           + c[2] * in[i + 1];
  }
}
