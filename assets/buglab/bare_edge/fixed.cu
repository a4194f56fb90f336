/* haloscope
title: A bare edge
task: >-
  On one face of the cube, one layer too many keeps its old values. Find the mistake.
hint: >-
  Which is the last point that has all its neighbours?
sizes:
  N: {default: 14, min: 1, max: 256, meaning: grid points along each axis}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / 8), ceil(N / 8), ceil(N / 4)]
  block: [8, 8, 4]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
*/
__constant__ float c[7];

__global__ void stencil(const float* in, float* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    out[(i * N + j) * N + k] = c[0] * in[(i * N + j) * N + k]
                             + c[1] * in[(i * N + j) * N + (k - 1)]
                             + c[2] * in[(i * N + j) * N + (k + 1)]
                             + c[3] * in[(i * N + (j - 1)) * N + k]
                             + c[4] * in[(i * N + (j + 1)) * N + k]
                             + c[5] * in[((i - 1) * N + j) * N + k]
                             + c[6] * in[((i + 1) * N + j) * N + k];
  }
}
