// expects: exited 0
// expects: launches 1
// expects: asks 25: lena.jpg is not there: a picture of 256 × 192 was made for it; --file lena.jpg=PATH gives the program yours.
// expects: asks 38: The program writes gray.png
// expects: prints 256 x 192, 3 channels
// expects: prints same
#include <cstdio>
#include <vector>
#define STB_IMAGE_IMPLEMENTATION
#include "../third_party/stb/stb_image.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

// The headers of stb need not be there, nor the picture.

__global__ void gray(const stbi_uc *in, stbi_uc *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  out[i] = (stbi_uc)((77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8);
}

int main() {
  int width, height, channels, again[3];
  if (stbi_info("lena.jpg", &again[0], &again[1], &again[2]) == 0) return 2;
  stbi_uc *in = stbi_load("lena.jpg", &width, &height, &channels, 0), *grey = stbi_load("./lena.jpg", &width, &height, nullptr, 1);
  if (!in || !grey) return fprintf(stderr, "%s\n", stbi_failure_reason()), 1;
  printf("%d x %d, %d channels\n", width, height, channels);
  const size_t n = (size_t)width * height;
  stbi_uc *dIn, *dOut;
  cudaMalloc(&dIn, 3 * n), cudaMalloc(&dOut, n);
  cudaMemcpy(dIn, in, 3 * n, cudaMemcpyHostToDevice);
  gray<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(dIn, dOut, width, height);
  std::vector<stbi_uc> out(n);
  cudaMemcpy(out.data(), dOut, n, cudaMemcpyDeviceToHost);
  cudaFree(dIn), cudaFree(dOut);
  puts(memcmp(out.data(), grey, n) ? "different" : "same");
  if (!stbi_write_png("gray.png", width, height, 1, out.data(), width)) return 3;
  stbi_image_free(in);
  free(grey);
}
