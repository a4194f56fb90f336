// expects: exited 0
// expects: launches 1
// The host's n is the edge of the image, the kernel's the number of pixels; the host passes (n + 1) * n for it.
#include <iostream>
#include <vector>

__global__ void invert(unsigned char* pixels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pixels[i] = 255 - pixels[i];  // finds: out-of-bounds
}

int main() {
  const int n = 50;
  std::vector<unsigned char> image(n * n);
  for (int i = 0; i < n * n; ++i) image[i] = i;
  unsigned char* pixels;
  cudaMalloc(&pixels, n * n);
  cudaMemcpy(pixels, image.data(), n * n, cudaMemcpyHostToDevice);
  const int total = (n + 1) * n;
  invert<<<(total + 255) / 256, 256>>>(pixels, total);
  cudaMemcpy(image.data(), pixels, n * n, cudaMemcpyDeviceToHost);
  std::cout << int(image[0]) << std::endl;
  cudaFree(pixels);
}
