#include "../solver.h"
#include "stencil.cuh"

__global__ void step(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = inside(x, y, w, h) ? five_points(in, y * w + x, w) : in[y * w + x];
}

Solver::Solver(Field& field) : field_(field) { cudaMalloc(&next_, sizeof(float) * field.width() * field.height()); }
Solver::~Solver() { cudaFree(next_); }

void Solver::run(int steps) {
  const dim3 block(16, 4);
  const dim3 grid((field_.width() + 15) / 16, (field_.height() + 3) / 4);
  while (steps-- > 0) {
    step<<<grid, block>>>(field_.device(), next_, field_.width(), field_.height());
    field_.swapWith(next_);
  }
  cudaDeviceSynchronize();
}
