// expects: exited 0
// expects: launches 20
// The two arrays do not change places: each launch repeats the first step, and its result stays on the device.
#include <cstdio>
#include <vector>
#include <utility>
__global__ void heat(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i] + 0.2f * (in[i - 1] - 2 * in[i] + in[i + 1]);
}
int main() {
  const int n = 1024;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int s = 0; s < 20; ++s) {
    heat<<<4, 256>>>(a, b, n);  // finds: result-missing
  }
  cudaMemcpy(h.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", h[500]);
  cudaFree(a);
  cudaFree(b);
}
