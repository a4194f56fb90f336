// expects: exited 0
// expects: launches 2
// Three of the seven taps are copied, and all seven are read.
#include <cstdio>
#include <vector>

__constant__ float taps[7];

__global__ void filter(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 7 > n) return;
  float s = 0.0f;
  for (int k = 0; k < 7; ++k) s += taps[k] * in[i + k];
  out[i] = s;
}

int main() {
  const int n = 600;
  std::vector<float> h(n), t(7, 0.25f);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 11);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(taps, t.data(), 3 * sizeof(float));  // finds: copy-size
  filter<<<3, 256>>>(a, b, n);
  filter<<<3, 256>>>(a, b, n);
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[100]);
  cudaFree(a);
  cudaFree(b);
}
