/* haloscope
title: The left edge
task: >-
  The launch fails only at the left end of the line, despite a guard. Find out why the guard does not help.
hint: >-
  Which values can an index of this type have?
sizes:
  N: {default: 100, min: 1, max: 1048576, meaning: points on the line}
tunables:
  TILE_DIM: {default: 32, min: 2, max: 256, meaning: points per block}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
  c: {shape: [3]}
launch:
  grid: [ceil(N / TILE_DIM), 1, 1]
  block: [TILE_DIM, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[-1], [0], [1]]
  border: ghost cells are zero
*/
#ifndef TILE_DIM
#define TILE_DIM 32
#endif

__constant__ float c[3];

__global__ void smooth(const float* in, float* out, int N) {
  int i = blockIdx.x * TILE_DIM + threadIdx.x;

  if (i < N) {
    float sum = c[1] * in[i];
    if (i >= 1) {
      sum += c[0] * in[i - 1];
    }
    if (i + 1 < N) {
      sum += c[2] * in[i + 1];
    }
    out[i] = sum;
  }
}
