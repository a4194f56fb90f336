// The result is right; the status is the number of points that are not yet what they will be in the end, which the
// program computes where it looks at them.
#include <cmath>
#include <cstdio>

constexpr int kPoints = 100;

__global__ void smooth(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kPoints) { return; }
  out[i] = i > 0 && i < kPoints - 1 ? 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1] : in[i];
}

int main() {
  float in[kPoints], out[kPoints];
  for (int i = 0; i < kPoints; ++i) { in[i] = 0.01f * i + (i > 30 && i < 60 ? 0.3f * (i * 7 % 5) : 0.0f); }
  float *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  smooth<<<2, 64>>>(a, b);
  cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  int off = 0;
  for (int i = 0; i < kPoints; ++i) { off += std::fabs(out[i] - 0.01f * i) > 1e-4f; }
  printf("%d of %d points are still on their way\n", off, kPoints);
  cudaFree(a);
  cudaFree(b);
  return off;
}
