/* haloscope
title: Reaction and diffusion (Gray–Scott)
book: playground
idea: Two substances diffuse and react; v eats u. Which patterns appear depends on how fast u is fed and v is removed.
order: 20
sizes:
  N: {default: 96, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  FEED: {default: 37, min: 5, max: 80, meaning: how fast u is fed in thousandths}
  KILL: {default: 62, min: 40, max: 70, meaning: how fast v is removed in thousandths}
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  u: {shape: [N, N], values: "abs(sin(floor(x / 12) * 12.9898 + floor(y / 12) * 78.233) * 43758.5453) % 1 < 0.06 ? 0.5 : 1"}
  v: {shape: [N, N], values: "abs(sin(floor(x / 12) * 12.9898 + floor(y / 12) * 78.233) * 43758.5453) % 1 < 0.06 ? 0.25 : 0"}
  u_next: {shape: [N, N]}
  v_next: {shape: [N, N]}
arguments:
  feed: FEED / 1000
  kill: KILL / 1000
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
definition:
  border: wraps around
  u_next: >-
    u[0, 0] + 0.16 * (u[0, -1] + u[0, 1] + u[-1, 0] + u[1, 0] - 4 * u[0, 0])
    - u[0, 0] * v[0, 0] * v[0, 0] + feed * (1 - u[0, 0])
  v_next: >-
    v[0, 0] + 0.08 * (v[0, -1] + v[0, 1] + v[-1, 0] + v[1, 0] - 4 * v[0, 0])
    + u[0, 0] * v[0, 0] * v[0, 0] - (feed + kill) * v[0, 0]
problem:
  shows: v
  legend: concentration of v
  range: [0, 0.4]
  size: 256
  advance: {u: u_next, v: v_next}
  brush: {v: [0.5, 0]}
op_per_byte: 24 / (10 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__global__ void react(const REAL* u, const REAL* v, REAL* u_next, REAL* v_next, int N, REAL feed, REAL kill) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < N && j < N) {
    int here = i * N + j;
    int left = i * N + (j == 0 ? N - 1 : j - 1);
    int right = i * N + (j == N - 1 ? 0 : j + 1);
    int above = (i == 0 ? N - 1 : i - 1) * N + j;
    int below = (i == N - 1 ? 0 : i + 1) * N + j;

    REAL a = u[here];
    REAL b = v[here];
    REAL spreadOfU = u[left] + u[right] + u[above] + u[below] - 4 * a;
    REAL spreadOfV = v[left] + v[right] + v[above] + v[below] - 4 * b;
    REAL reaction = a * b * b;
    u_next[here] = a + REAL(0.16) * spreadOfU - reaction + feed * (1 - a);
    v_next[here] = b + REAL(0.08) * spreadOfV + reaction - (feed + kill) * b;
  }
}
