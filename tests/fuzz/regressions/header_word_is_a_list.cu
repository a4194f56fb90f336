/* haloscope
title: x
sizes:
  N: {default: 16, min: 1, max: 64}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
  c: {shape: [3]}
launch: {grid: [1, 1, 1], [block]: [32, 1, 1]}
computes: {output: out, input: in, weights: c, taps: [[-1], [0], [1]], border: keeps its value}
*/
__global__ void k(const float* in, float* out, const float* c, int N) {
  int i = threadIdx.x;
  if (i > 0 && i < N - 1) out[i] = c[0] * in[i - 1] + c[1] * in[i] + c[2] * in[i + 1];
}
