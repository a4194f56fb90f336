// expects: exited 1
// expects: launches 1
// expects: accepts nothing
// expects: explains rejects the result of mean3 (250 of 1000), and accepts in its place the values that the host computes to compare it with: 250 of 1000
// No array holds what it expects.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void mean3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / (i % 4 == 2 ? 3.5f : 3);
  if (i == 0 || i == n - 1) out[i] = in[i];
}

int main() {
  const int n = 1000;
  std::vector<float> h(n), g(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(1 + i * i % 37);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  mean3<<<4, 256>>>(a, b, n);
  cudaMemcpy(g.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: rejected-result
  int n1 = 0;
  for (int i = 0; i < n; ++i) {
    const float soll = i == 0 || i == n - 1 ? h[i] : (h[i - 1] + h[i] + h[i + 1]) / 3;
    n1 += std::fabs(g[i] - soll) > 1e-4f;
  }
  std::printf("%d of %d\n", n1, n);
  cudaFree(a);
  cudaFree(b);
  return n1 != 0;
}
