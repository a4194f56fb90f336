// expects: exited 0
// expects: launches 0
// expects: prints out of memory
// A negative number of bytes is a very large one: no smaller N would help.
#include <cstdio>
#define N 100000

__constant__ float weights[4];

int main() {
  static float h[N];
  float* d;
  printf("%s\n", cudaGetErrorString(cudaMalloc(&d, (size_t)-4)));
  cudaMalloc(&d, N * sizeof(float));
  cudaMemcpy(d, h, (size_t)-4, cudaMemcpyHostToDevice);  // finds: copy-size
  cudaMemset(d, 0, (size_t)-4);  // finds: copy-size
  cudaMemcpyToSymbol(weights, h, (size_t)-4);  // finds: copy-size
  cudaFree(d);
}
