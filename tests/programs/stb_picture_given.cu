// runs with: photo.pgm P5 4 2 255\nabcdefgh
// runs with: broken.png no picture
// expects: exited 0
// expects: launches 1
// expects: prints 4 x 2, 1 channel: dcba hgfe
// expects: prints unknown image type
// expects: prints 8 x 4: aabb
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include "stb_image.h"
#include "stb_image_resize.h"
#include <stdio.h>

__global__ void mirror(unsigned char *p, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  const unsigned char one = p[y * width + x];
  __syncthreads();
  p[y * width + width - 1 - x] = one;
}

int main() {
  int width, height, channels;
  unsigned char *p = stbi_load("photo.pgm", &width, &height, &channels, 0), *d;
  cudaMalloc(&d, width * height);
  cudaMemcpy(d, p, width * height, cudaMemcpyHostToDevice);
  mirror<<<height, width>>>(d, width);
  cudaMemcpy(p, d, width * height, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d x %d, %d channel: %.4s %.4s\n", width, height, channels, (char *)p, (char *)p + 4);
  if (stbi_load("broken.png", &width, &height, &channels, 0)) return 1;
  puts(stbi_failure_reason());
  unsigned char large[32], small[4] = {'a', 'a', 'b', 'b'};
  stbir_resize_uint8(small, 4, 1, 0, large, 8, 4, 0, 1);
  printf("8 x 4: %c%c%c%c\n", large[0], large[2], large[6], large[7]);
  stbi_image_free(p);
}
