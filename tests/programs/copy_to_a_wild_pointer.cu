// expects: crashed
// expects: launches 1
// expects: says the host's pointer was not set, or its memory was freed
// The result is copied to an address at which the host has no memory: the size is right.
#include <cstdio>
#include <vector>
__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
int main() {
  const int n = 4096;
  std::vector<float> h(n); float *r = (float*)0x1234567000;
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<16, 256>>>(a, b, n);
  cudaMemcpy(r, b, n * sizeof(float), cudaMemcpyDeviceToHost);  // ends here
  printf("%f\n", r[500]);
  cudaFree(a);
  cudaFree(b);
}
