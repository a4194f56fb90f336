/* haloscope
title: A Poisson problem by red and black
book: playground
idea: As on a chessboard, the neighbours of a red point are black. A launch computes one colour in place, from the newest values of the other.
order: 16
sizes:
  N: {default: 64, min: 1, max: 16384, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
precision: {macro: REAL, types: [float, double]}
arrays:
  u: {shape: [N, N], values: "0 * x"}
  charge:
    shape: [N, N]
    values: "(x - 0.3 * N)^2 + (y - 0.35 * N)^2 < (0.07 * N)^2 ? 0.01 : (x - 0.68 * N)^2 + (y - 0.62 * N)^2 < (0.07 * N)^2 ? -0.01 : 0"
arguments:
  colour: 0
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
definition:
  border: keeps its value
  u: >-
    (x + y + colour) % 2 == 0 ? 0.25 * (u[0, -1] + u[0, 1] + u[-1, 0] + u[1, 0] + charge[0, 0]) : u[0, 0]
problem:
  shows: u
  legend: potential
  size: 128
  alternates: colour
  brush: {charge: [0.02, -0.02]}
  residual: charge[0, 0] + u[0, -1] + u[0, 1] + u[-1, 0] + u[1, 0] - 4 * u[0, 0]
op_per_byte: 5 / (5 * sizeof(REAL))
*/
#ifndef REAL
#define REAL float
#endif

__global__ void redBlack(REAL* u, const REAL* charge, int N, int colour) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && (i + j + colour) % 2 == 0) {
    int here = i * N + j;
    u[here] = REAL(0.25) * (u[here - 1] + u[here + 1] + u[here - N] + u[here + N] + charge[here]);
  }
}
