// expects: exited 0
// expects: launches 1
// expects: accepts nothing
// It counts edges and values, and prints a picture: none of these has a reference.
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
  int edges = 0, hot = 0;
  for (int i = 1; i < n; ++i) edges += std::fabs(g[i] - g[i - 1]) > 3;
  for (int i = 0; i < n; ++i) hot += g[i] > 20;
  std::printf("%d edges, %d hot: %s\n", edges, hot, hot > 100 ? "FAILED" : "ok");
  for (int i = 0; i < n; ++i) std::putchar(i % 50 == 49 ? '\n' : " .:#"[static_cast<int>(g[i] / 10)]);
  cudaFree(a);
  cudaFree(b);
}
