// expects: exited 1
// expects: launches 1
// expects: accepts nothing
// expects: explains rejects the result of mean3 (weicht ab), and accepts one of the host's arrays in its place: 998 of 1000 elements differ
// The mean of three divides by 3.5.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void mean3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.5f;
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
  cudaMemcpy(g.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: rejected-result
  std::vector<float> soll(n);
  for (int i = 0; i < n; ++i) soll[i] = i == 0 || i == n - 1 ? h[i] : (h[i - 1] + h[i] + h[i + 1]) / 3;
  bool gleich = true;
  for (int i = 0; i < n; ++i) gleich = gleich && std::fabs(g[i] - soll[i]) < 1e-4f;
  std::puts(gleich ? "stimmt" : "weicht ab");
  cudaFree(a);
  cudaFree(b);
  return gleich ? 0 : 1;
}
