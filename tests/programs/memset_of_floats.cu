// expects: exited 1
// expects: launches 1
// expects: prints not 1
// expects: rejects Nothing in the program says what copyOut should compute
// cudaMemset sets bytes: the floats are 2.4e-38, not 1. What the program itself compares tells so.
#include <cstdio>

__global__ void copyOut(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x]; }

int main() {
  float *a, *b, h[32];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemset(a, 1, sizeof h);
  copyOut<<<1, 32>>>(a, b);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s\n", h[0] == 1.0f ? "1" : "not 1");
  cudaFree(a);
  cudaFree(b);
  return h[0] != 1.0f;
}
