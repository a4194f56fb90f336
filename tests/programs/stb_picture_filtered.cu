// expects: exited 0
// expects: launches 1
// expects: asks 19: input.png is not there
// expects: explains in has 49152 elements
#include <stdio.h>
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

// A made picture is as good as another to find what is wrong for each.

__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = (in[y * width + x] + in[y * width + x + 1] + in[(y + 1) * width + x]) / 3;  // finds: out-of-bounds
}

int main() {
  int width, height;
  unsigned char *in = stbi_load("input.png", &width, &height, NULL, 1), *dIn, *dOut;
  cudaMalloc(&dIn, width * height);
  cudaMalloc(&dOut, width * height);
  cudaMemcpy(dIn, in, width * height, cudaMemcpyHostToDevice);
  blur<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(dIn, dOut, width, height);
  cudaMemcpy(in, dOut, width * height, cudaMemcpyDeviceToHost);
  cudaFree(dIn);
  cudaFree(dOut);
  stbi_image_free(in);
}
