// prints how much the last step has changed the field; the host has the newest one, the device's older one is copied.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
const int W = 40, H = 33, S = 10;
__global__ void step(const float* now, float* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  int i = y * W + x;
  bool inner = x > 0 && x < W - 1 && y > 0 && y < H - 1;
  next[i] = inner ? now[i] + 0.2f * (now[i-1] + now[i+1] + now[i-W] + now[i+W] - 4 * now[i]) : now[i];
}
int main() {
  std::vector<float> a(W*H), b(W*H), before(W*H);
  for (int i = 0; i < W*H; ++i) a[i] = 20 + i * 31 % 47;
  float *now, *next;
  cudaMalloc(&now, W*H*4); cudaMalloc(&next, W*H*4);
  cudaMemcpy(now, a.data(), W*H*4, cudaMemcpyHostToDevice);
  dim3 block(16, 8), grid(3, 5);
  for (int s = 0; s < S; ++s) { step<<<grid, block>>>(now, next); std::swap(now, next); }
  cudaMemcpy(before.data(), next, W*H*4, cudaMemcpyDeviceToHost);   // the step before the last
  for (int s = 0; s < S; ++s) {
    for (int y = 0; y < H; ++y) for (int x = 0; x < W; ++x) {
      int i = y * W + x;
      bool inner = x > 0 && x < W - 1 && y > 0 && y < H - 1;
      b[i] = inner ? a[i] + 0.2f * (a[i-1] + a[i+1] + a[i-W] + a[i+W] - 4 * a[i]) : a[i];
    }
    std::swap(a, b);
  }
  double change = 0;
  for (int i = 0; i < W*H; ++i) change = std::fmax(change, std::fabs(before[i] - a[i]));
  std::printf("change in the last step: %g\n", change);
  cudaFree(now); cudaFree(next);
}
