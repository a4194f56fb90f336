// expects: exited 0
// expects: launches 1
// The size of the copy is a number of elements, so that three quarters of the filter are zero. That the kernel's result
// differs from the function's is no mistake of the kernel.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kRadius = 2, kTaps = 2 * kRadius + 1;
__constant__ float w[kTaps];

__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = -kRadius; k <= kRadius; ++k) {
    if (i + k >= 0 && i + k < n) sum += w[k + kRadius] * in[i + k];
  }
  out[i] = sum;
}

void smoothOnHost(const float* in, const float* taps, float* out, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0.0f;
    for (int k = -kRadius; k <= kRadius; ++k) {
      if (i + k >= 0 && i + k < n) sum += taps[k + kRadius] * in[i + k];
    }
    out[i] = sum;
  }
}

int main() {
  const int n = 500;
  const float taps[kTaps] = {0.1f, 0.2f, 0.5f, 0.15f, 0.05f};
  std::vector<float> f(n), r(n), expected(n);
  for (int i = 0; i < n; ++i) f[i] = std::sin(0.1f * i);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(w, taps, kTaps);  // finds: elements-as-bytes
  smooth<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  smoothOnHost(f.data(), taps, expected.data(), n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += std::fabs(r[i] - expected[i]) > 1e-5f;
  printf("%d wrong\n", wrong);
  cudaFree(a);
  cudaFree(b);
}
