// expects: exited 0
// expects: launches 1
// expects: accepts nothing
// The host has an array of its own, as long as a result that stays on the device: it is not meant for it.
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
  mean3<<<4, 256>>>(a, b, n);  // finds: never-copied-back
  cudaDeviceSynchronize();
  std::printf("input is %s\n", h[1] > h[2] ? "descending" : "ascending");
  cudaFree(a);
  cudaFree(b);
}
