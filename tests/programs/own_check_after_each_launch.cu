// expects: exited 1
// expects: launches 2
// expects: prints FAILED
// expects: explains the program's own comparison rejects the result of rows (FAILED)
// Each result is compared before the next launch: the second line is about the second kernel, which takes other
// parameters than the first.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void scale(float* u, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) u[i] *= factor;
}

__global__ void rows(const float* u, float* sums, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  float sum = 0;
  for (int x = 1; x < width; ++x) sum += u[y * width + x];  // finds: wrong-result
  sums[y] = sum;
}

bool report(const std::vector<float>& found, const std::vector<double>& expected) {
  bool same = true;
  for (size_t i = 0; i < found.size(); ++i) same = same && std::fabs(found[i] - expected[i]) < 1e-3;
  printf(same ? "PASSED\n" : "FAILED\n");
  return same;
}

int main() {
  const int width = 48, height = 64, n = width * height;
  std::vector<float> u(n), s(height);
  std::vector<double> scaled(n), sums(height);
  for (int i = 0; i < n; ++i) {
    u[i] = 1 + (i * 37) % 11;
    scaled[i] = 0.5 * u[i];
    sums[i / width] += scaled[i];
  }
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, height * sizeof(float));
  cudaMemcpy(a, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<n / 128, 128>>>(a, n, 0.5f);
  cudaMemcpy(u.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = report(u, scaled);
  rows<<<1, 64>>>(a, b, width, height);
  cudaMemcpy(s.data(), b, height * sizeof(float), cudaMemcpyDeviceToHost);
  right = report(s, sums) && right;
  cudaFree(a);
  cudaFree(b);
  return right ? 0 : 1;
}
