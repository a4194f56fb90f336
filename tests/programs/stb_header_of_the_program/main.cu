// expects: exited 0
// expects: launches 1
// expects: asks 19: photo.bmp is not there: a picture of 256 × 192 was made for it
#include <cstdio>
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

// A program that brings the library's header along gets the picture, too.

__global__ void darken(unsigned char *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] /= 2;
}

int main() {
  int width, height, channels;
  unsigned char *d;
  // The picture is as large as it says.
  unsigned char *p = stbi_load("photo.bmp", &width, &height, &channels, 4);
  if (!p) return 1;
  const int n = 4 * width * height;
  cudaMalloc(&d, n);
  cudaMemcpy(d, p, n, cudaMemcpyHostToDevice);
  darken<<<(n + 255) / 256, 256>>>(d, n);
  cudaMemcpy(p, d, n, cudaMemcpyDeviceToHost);
  printf("%d\n", p[3]);
  cudaFree(d);
  stbi_image_free(p);
}
