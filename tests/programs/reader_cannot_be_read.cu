// expects: exited 0
// expects: launches 2
// What the second kernel reads is not known: that `a` is never copied back may be right.
#include <cstdio>

__global__ void fill(float* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void sum(const float* a, float* s) {
  float* copy = new float[32];
  for (int i = 0; i < 32; ++i) copy[i] = a[i];
  float all = 0;
  for (int i = 0; i < 32; ++i) all += copy[i];
  *s = all;
  delete[] copy;
}

int main() {
  float *a, *s, h = 0;
  cudaMalloc(&a, 32 * sizeof(float));
  cudaMalloc(&s, sizeof(float));
  fill<<<1, 32>>>(a);
  sum<<<1, 1>>>(a, s);  // fails: new
  cudaMemcpy(&h, s, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaFree(a);
  cudaFree(s);
}
