// expects: exited 0
// expects: launches 1
// A 3x3 filter over a tile with a ring around it. The sides of the ring are loaded, its four corners are not.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define B 16
__constant__ float kernel3[9];

__global__ void convolve(const float* in, float* out, int w, int h) {
  __shared__ float t[B + 2][B + 2];
  int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int px, int py) { return px >= 0 && py >= 0 && px < w && py < h ? in[py * w + px] : 0.0f; };
  t[ty][tx] = at(x, y);
  if (threadIdx.x == 0) t[ty][0] = at(x - 1, y);
  if (threadIdx.x == B - 1) t[ty][B + 1] = at(x + 1, y);
  if (threadIdx.y == 0) t[0][tx] = at(x, y - 1);
  if (threadIdx.y == B - 1) t[B + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += kernel3[3 * j + i] * t[ty + j - 1][tx + i - 1];  // finds: uninitialized
  out[y * w + x] = sum;
}

int main() {
  const int w = 64, h = 48;
  float f[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  std::vector<float> image(w * h, 1.0f);
  float *in, *out;
  cudaMalloc(&in, w * h * sizeof(float));
  cudaMalloc(&out, w * h * sizeof(float));
  cudaMemcpyToSymbol(kernel3, f, sizeof f);
  cudaMemcpy(in, image.data(), w * h * sizeof(float), cudaMemcpyHostToDevice);
  convolve<<<dim3(w / B, h / B), dim3(B, B)>>>(in, out, w, h);
  cudaMemcpy(image.data(), out, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", image[w + 1]);
  cudaFree(in);
  cudaFree(out);
}
