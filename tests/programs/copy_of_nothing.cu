// expects: exited 0
// expects: launches 0
// expects: prints invalid argument
// Copies of no bytes are none; a pitch smaller than the row is refused, as is a negative size.
#include <cstdio>

int main() {
  float h[8] = {}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice);
  cudaMemcpy2D(d, 0, h, 0, 0, 1u << 30, cudaMemcpyHostToDevice);
  cudaMemset2D(d, 0, 0, 0, 1u << 30);
  int n = -3;
  cudaError_t e = cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);  // finds: copy-size
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(d);
}
