// expects: exited 0
// expects: launches 3
// expects: prints naive 0
// expects: prints shared 0
// expects: prints coarse 0
// Three versions of a filter are called through a table of function pointers and compared with the CPU.
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

constexpr int R = 2, B = 64;

__global__ void naive(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = -R; k <= R; ++k) s += i + k >= 0 && i + k < n ? a[i + k] : 0;
  b[i] = s;
}

__global__ void shared(const float* a, float* b, int n) {
  __shared__ float t[B + 2 * R];
  int i = blockIdx.x * B + threadIdx.x;
  for (int k = threadIdx.x; k < B + 2 * R; k += B) {
    int j = int(blockIdx.x) * B + k - R;
    t[k] = j >= 0 && j < n ? a[j] : 0;
  }
  __syncthreads();
  if (i < n) {
    float s = 0;
    for (int k = 0; k <= 2 * R; ++k) s += t[threadIdx.x + k];
    b[i] = s;
  }
}

__global__ void coarse(const float* a, float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int k = max(0, i - R); k <= min(n - 1, i + R); ++k) s += a[k];
    b[i] = s;
  }
}

using Kernel = void (*)(const float*, float*, int);

int main() {
  const int n = 1000;
  std::vector<float> in(n), want(n), got(n);
  for (int i = 0; i < n; ++i) in[i] = float(i % 8);
  for (int i = 0; i < n; ++i)
    for (int k = -R; k <= R; ++k)
      if (i + k >= 0 && i + k < n) want[i] += in[i + k];
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const std::map<std::string, Kernel> versions{{"naive", naive}, {"shared", shared}, {"coarse", coarse}};
  const std::function<int()> differences = [&] {
    cudaMemcpy(got.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
    int count = 0;
    for (int i = 0; i < n; ++i) count += std::fabs(got[i] - want[i]) > 1e-5f;
    return count;
  };
  int all = 0;
  for (const auto& [name, kernel] : versions) {
    cudaMemset(b, 0, n * sizeof(float));
    kernel<<<name == "coarse" ? 4 : (n + B - 1) / B, B>>>(a, b, n);
    const int wrong = differences();
    std::cout << name << ' ' << wrong << '\n';
    all += wrong;
  }
  cudaFree(a);
  cudaFree(b);
  return all;
}
