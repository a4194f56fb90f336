/* haloscope
title: Reaction and diffusion in 3D
book: playground
idea: The same reaction with six neighbours. Turn the cloud with the mouse.
order: 21
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  FEED: {default: 30, min: 5, max: 80, meaning: how fast u is fed in thousandths}
  KILL: {default: 60, min: 40, max: 70, meaning: how fast v is removed in thousandths}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 2, min: 1, max: 64, meaning: threads per block along z}
precision: {macro: REAL, types: [float, double]}
arrays:
  u: {shape: [N, N, N], values: "(x - 0.5 * N)^2 + (y - 0.45 * N)^2 + (z - 0.5 * N)^2 < (0.12 * N)^2 || (x - 0.7 * N)^2 + (y - 0.7 * N)^2 + (z - 0.6 * N)^2 < (0.06 * N)^2 ? 0.5 : 1"}
  v: {shape: [N, N, N], values: "(x - 0.5 * N)^2 + (y - 0.45 * N)^2 + (z - 0.5 * N)^2 < (0.12 * N)^2 || (x - 0.7 * N)^2 + (y - 0.7 * N)^2 + (z - 0.6 * N)^2 < (0.06 * N)^2 ? 0.3 : 0"}
  u_next: {shape: [N, N, N]}
  v_next: {shape: [N, N, N]}
arguments:
  feed: FEED / 1000
  kill: KILL / 1000
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
definition:
  border: wraps around
  u_next: >-
    u[0, 0, 0] + 0.12 * (u[0, 0, -1] + u[0, 0, 1] + u[0, -1, 0] + u[0, 1, 0] + u[-1, 0, 0] + u[1, 0, 0]
    - 6 * u[0, 0, 0]) - u[0, 0, 0] * v[0, 0, 0] * v[0, 0, 0] + feed * (1 - u[0, 0, 0])
  v_next: >-
    v[0, 0, 0] + 0.06 * (v[0, 0, -1] + v[0, 0, 1] + v[0, -1, 0] + v[0, 1, 0] + v[-1, 0, 0] + v[1, 0, 0]
    - 6 * v[0, 0, 0]) + u[0, 0, 0] * v[0, 0, 0] * v[0, 0, 0] - (feed + kill) * v[0, 0, 0]
problem:
  shows: v
  legend: concentration of v
  range: [0, 0.4]
  size: 64
  advance: {u: u_next, v: v_next}
  brush: {v: [0.5, 0]}
op_per_byte: 28 / (14 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__global__ void react(const REAL* u, const REAL* v, REAL* u_next, REAL* v_next, int N, REAL feed, REAL kill) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < N && j < N && k < N) {
    int row = (i * N + j) * N;
    int here = row + k;
    int left = row + (k == 0 ? N - 1 : k - 1);
    int right = row + (k == N - 1 ? 0 : k + 1);
    int above = (i * N + (j == 0 ? N - 1 : j - 1)) * N + k;
    int below = (i * N + (j == N - 1 ? 0 : j + 1)) * N + k;
    int before = ((i == 0 ? N - 1 : i - 1) * N + j) * N + k;
    int behind = ((i == N - 1 ? 0 : i + 1) * N + j) * N + k;

    REAL a = u[here];
    REAL b = v[here];
    REAL spreadOfU = u[left] + u[right] + u[above] + u[below] + u[before] + u[behind] - 6 * a;
    REAL spreadOfV = v[left] + v[right] + v[above] + v[below] + v[before] + v[behind] - 6 * b;
    REAL reaction = a * b * b;
    u_next[here] = a + REAL(0.12) * spreadOfU - reaction + feed * (1 - a);
    v_next[here] = b + REAL(0.06) * spreadOfV + reaction - (feed + kill) * b;
  }
}
