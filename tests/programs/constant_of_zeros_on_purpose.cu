// expects: exited 0
// expects: launches 2
// The source term is initialised with zeros, and the other constant that nobody copies to is in a branch that is not
// taken.
#include <cstdio>
#include <vector>
__constant__ float source[3] = {0};
__constant__ float further[3];
__constant__ float weights[3];
__global__ void conv(const float* in, float* out, int n, bool forced) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float s = weights[0] * in[i - 1] + weights[1] * in[i] + weights[2] * in[i + 1];
  s += source[0] + source[1] * in[i];
  if (forced) s += further[0] + further[1] * in[i];
  out[i] = s;
}
int main() {
  const int n = 512;
  std::vector<float> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float w[3] = {0.2f, 0.5f, 0.3f};
  cudaMemcpyToSymbol(weights, w, sizeof w);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  conv<<<2, 256>>>(a, b, n, false);
  conv<<<2, 256>>>(a, b, n, false);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[500]);
  cudaFree(a);
  cudaFree(b);
}
