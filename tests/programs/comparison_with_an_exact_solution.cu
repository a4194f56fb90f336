// expects: exited 0
// expects: launches 1
// expects: accepts nothing
// It is compared with what it is to come near to: that it differs is no fault.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void mean3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
  if (i == 0 || i == n - 1) out[i] = in[i];
}

int main() {
  const int n = 1000;
  std::vector<float> h(n), g(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i * i % 37);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  mean3<<<4, 256>>>(a, b, n);
  cudaMemcpy(g.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::vector<float> exact(n);
  for (int i = 0; i < n; ++i) exact[i] = static_cast<float>((i + 0.5) * (i + 0.5) - 37 * std::floor((i + 0.5) * (i + 0.5) / 37));
  double error = 0;
  for (int i = 0; i < n; ++i) error = std::fmax(error, std::fabs(g[i] - exact[i]));
  std::printf("max error %g: %s\n", error, error > 0.1 ? "FAILED to resolve it, refine the grid" : "fine");
  cudaFree(a);
  cudaFree(b);
}
