// The result is right; the status is a number that the program computes: how many points are above the mean.
#include <cstdio>

constexpr int kPoints = 100;

__global__ void smooth(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < kPoints - 1) { out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1]; }
}

int main() {
  float in[kPoints] = {}, out[kPoints];
  in[40] = 8;
  float *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof in);
  smooth<<<2, 64>>>(a, b);
  cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  int above = 0;
  for (int i = 0; i < kPoints; ++i) { above += out[i] > 0.08f; }
  cudaFree(a);
  cudaFree(b);
  return above;
}
