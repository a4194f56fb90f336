/* haloscope
title: The kernel that never ends
task: >-
  The launch does not return. Find the loop that never ends, and the reason.
hint: >-
  What does the loop variable become when it is decremented at zero?
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
__constant__ float c[3];

__global__ void smooth(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < N) {
    float sum = 0.0f;
    for (unsigned tap = 2; tap >= 0; --tap) {
      int at = i + tap - 1;
      if (at >= 0 && at < N) {
        sum += c[tap] * in[at];
      }
    }
    out[i] = sum;
  }
}
