// expects: exited 0
// expects: launches 4
// expects: prints 6 6
// Both files have a filter and a kernel of the same names, which are different ones.
#include <cstdio>

static __constant__ float filter[3] = {1, 1, 1};

static __global__ void apply(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = filter[0] * in[i - 1] + filter[1] * in[i] + filter[2] * in[i + 1];
}

float other(const float* in, float* out, int n);

int main() {
  const int n = 32;
  float h[n], *in, *out, own;
  for (float& x : h) x = 2;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  apply<<<1, n>>>(in, out, n);
  other(in, out, n);
  apply<<<1, n>>>(in, out, n);
  cudaMemcpy(&own, out + 5, sizeof own, cudaMemcpyDeviceToHost);
  printf("%g %g\n", own, other(in, out, n));
  cudaFree(in);
  cudaFree(out);
  return own == 6 ? 0 : 1;
}
