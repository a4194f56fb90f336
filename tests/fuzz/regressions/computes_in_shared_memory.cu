/* haloscope
title: x
sizes:
  N: {default: 16, min: 1, max: 64}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
  c: {shape: [3]}
launch: {grid: [1, 1, 1], block: [32, 1, 1]}
computes: {output: out, input: in, weights: c, taps: [[-1], [0], [1]], border: keeps its value}
*/
__global__ void k(int N) {
  __shared__ float in[16], out[16], c[3];
  int i = threadIdx.x;
  if (i < 16) { in[i] = i; out[i] = in[i] * c[0]; }
}
