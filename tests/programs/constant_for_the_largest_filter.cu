// expects: exited 0
// expects: launches 1
// The constant has room for a larger filter: 16 elements of 64 are copied, and no more are read.
#include <cstdio>
#include <vector>

constexpr int kMost = 64;
__constant__ float w[kMost];

__global__ void smooth(const float* in, float* out, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + taps > n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += w[k] * in[i + k];
  out[i] = sum;
}

int main() {
  const int n = 500, taps = 16;
  std::vector<float> f(n, 1.0f), r(n), filter(taps, 1.0f / taps);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(w, filter.data(), taps * sizeof(float));
  smooth<<<(n + 127) / 128, 128>>>(a, b, n, taps);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[0]);
  cudaFree(a);
  cudaFree(b);
}
