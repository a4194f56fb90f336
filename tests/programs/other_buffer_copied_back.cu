// expects: exited 1
// expects: launches 10
// After the last step the two arrays have changed places, and the host copies the one of the step before.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kWidth = 40, kHeight = 33, kSteps = 10;

__global__ void step(const float* now, float* next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight) { return; }
  const int i = y * kWidth + x;
  const bool inner = x > 0 && x < kWidth - 1 && y > 0 && y < kHeight - 1;
  next[i] = inner ? now[i] + 0.2f * (now[i - 1] + now[i + 1] + now[i - kWidth] + now[i + kWidth] - 4 * now[i]) : now[i];
}

int main() {
  std::vector<float> a(kWidth * kHeight), b(a.size()), result(a.size());
  for (int i = 0; i < kWidth * kHeight; ++i) { a[i] = 20 + i * 31 % 47; }
  float *now, *next;
  cudaMalloc(&now, a.size() * sizeof(float));
  cudaMalloc(&next, a.size() * sizeof(float));
  cudaMemcpy(now, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 8), grid((kWidth + 15) / 16, (kHeight + 7) / 8);
  for (int s = 0; s < kSteps; ++s) {
    step<<<grid, block>>>(now, next);
    std::swap(now, next);
  }
  cudaMemcpy(result.data(), next, a.size() * sizeof(float), cudaMemcpyDeviceToHost);  // finds: result-missing
  for (int s = 0; s < kSteps; ++s) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const int i = y * kWidth + x;
        const bool inner = x > 0 && x < kWidth - 1 && y > 0 && y < kHeight - 1;
        b[i] = inner ? a[i] + 0.2f * (a[i - 1] + a[i + 1] + a[i - kWidth] + a[i + kWidth] - 4 * a[i]) : a[i];
      }
    }
    std::swap(a, b);
  }
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) { worst = std::fmax(worst, std::fabs(result[i] - a[i])); }
  std::printf("largest deviation %g\n", worst);
  cudaFree(now);
  cudaFree(next);
  return worst > 1e-3 ? 1 : 0;
}
