#define TILE 16
#define CENTRE 0.5f
#include "stencil_kernels.cuh"

__global__ void clear(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.0f;
}

int main() {
  int width = 60, height = 44, n = 1000, FILTER_WIDTH = 5;
  float mask[] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  float *in, *out, *d_mask;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMalloc(&d_mask, FILTER_WIDTH * sizeof(float));
  cudaMemset(in, 0, width * height * sizeof(float));
  cudaMemcpy(d_mask, mask, sizeof(mask), cudaMemcpyHostToDevice);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  clear<<<(n + 127) / 128, 128>>>(out, n);
  blur<<<grid, dim3(TILE, TILE)>>>(in, out, width, height);
  conv_line<2><<<(n + 127) / 128, 128>>>(in, d_mask, out, n);
  cudaFree(in);
  cudaFree(out);
  cudaFree(d_mask);
}
// expects: clear clean 990
// expects: blur clean 2600
// expects: conv_line matches
// stepping: blur refused 'side' is defined in a header and cannot be recorded on a GPU
