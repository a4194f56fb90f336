#pragma once

__device__ inline bool inside(int x, int y, int w, int h) { return x > 0 && y > 0 && x < w - 1 && y < h - 1; }

__device__ inline float five_points(const float* u, int at, int w) {
  return u[at] + 0.2f * (u[at - 1] + u[at + 1] + u[at - w] + u[at + w] - 4 * u[at]);
}
