/* haloscope
title: Conway's life
book: playground
idea: A stencil need not be a sum of products. A cell lives on with two or three living neighbours, and is born with three.
order: 30
sizes:
  N: {default: 96, min: 1, max: 16384, meaning: cells along each axis}
tunables:
  BLOCK_X: {default: 32, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
arrays:
  now:
    shape: [N, N]
    values: "abs(sin(x * 12.9898 + y * 78.233) * 43758.5453) % 1 < 0.35 && (x - N / 2)^2 + (y - N / 2)^2 < (0.4 * N)^2 ? 1 : 0"
  next: {shape: [N, N]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
definition:
  border: wraps around
  next: >-
    ((now[-1, -1] > 0.5) + (now[-1, 0] > 0.5) + (now[-1, 1] > 0.5) + (now[0, -1] > 0.5) + (now[0, 1] > 0.5)
    + (now[1, -1] > 0.5) + (now[1, 0] > 0.5) + (now[1, 1] > 0.5) == 3)
    || (now[0, 0] > 0.5 && (now[-1, -1] > 0.5) + (now[-1, 0] > 0.5) + (now[-1, 1] > 0.5) + (now[0, -1] > 0.5)
    + (now[0, 1] > 0.5) + (now[1, -1] > 0.5) + (now[1, 0] > 0.5) + (now[1, 1] > 0.5) == 2)
problem:
  shows: now
  legend: living
  range: [0, 1]
  size: 512
  pace: 10
  advance: {now: next}
  brush: {now: [1, 0]}
op_per_byte: 0
*/
__global__ void life(const float* now, float* next, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < N && j < N) {
    int row = i * N;
    int above = (i == 0 ? N - 1 : i - 1) * N;
    int below = (i == N - 1 ? 0 : i + 1) * N;
    int left = j == 0 ? N - 1 : j - 1;
    int right = j == N - 1 ? 0 : j + 1;

    int neighbours = (now[above + left] > 0.5f) + (now[above + j] > 0.5f) + (now[above + right] > 0.5f)
                   + (now[row + left] > 0.5f) + (now[row + right] > 0.5f)
                   + (now[below + left] > 0.5f) + (now[below + j] > 0.5f) + (now[below + right] > 0.5f);
    bool lives = neighbours == 3 || (neighbours == 2 && now[row + j] > 0.5f);
    next[row + j] = lives ? 1.0f : 0.0f;
  }
}
