// runs: 37 21 5
// expects: exited 0
// expects: launches 5
// expects: prints 37 x 21, 5 steps
#include <cstdio>
#include <cstdlib>
#include <string>

__global__ void rain(float* water, int w, int h, int step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) water[y * w + x] += (x * 7 + y * 3 + step) % 5;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s WIDTH HEIGHT STEPS\n", argv[0]);
    return 2;
  }
  const int w = std::atoi(argv[1]), h = std::stoi(argv[2]), steps = strtol(argv[3], nullptr, 10);
  float* water;
  cudaMalloc(&water, w * h * sizeof(float));
  cudaMemset(water, 0, w * h * sizeof(float));
  for (int s = 0; s < steps; ++s) rain<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(water, w, h, s);
  float first;
  cudaMemcpy(&first, water, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d x %d, %d steps, first %g\n", w, h, steps, first);
  cudaFree(water);
  return first == 10 ? 0 : 1;
}
