#define TILE 16
#define CENTRE 0.5f
#include "stencil_kernels.cuh"

__global__ void clear(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.0f;
}

int main() {
  int width = 60, height = 44, n = 1000, FILTER_WIDTH = 5;
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  clear<<<(n + 127) / 128, 128>>>(0, n);
  blur<<<grid, dim3(TILE, TILE)>>>(0, 0, width, height);
  conv_line<2><<<(n + 127) / 128, 128>>>(0, 0, 0, n);
}
// expects: clear clean 990
// expects: blur clean 2600
// expects: conv_line matches
// stepping: blur refused 'side' is defined in a header and cannot be recorded on a GPU
