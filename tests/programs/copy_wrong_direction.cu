// expects: exited 0
// expects: launches 1
#include <stdio.h>
#include <stdlib.h>

__global__ void addOne(int *a) { a[threadIdx.x] += 1; }

int main() {
  const size_t bytes = 64 * sizeof(int);
  int *h = (int *)calloc(64, sizeof(int)), *d;
  cudaMalloc(&d, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyDeviceToHost);  // finds: copy-direction
  addOne<<<1, 64>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyHostToDevice);  // finds: copy-direction
  cudaMemcpy(h, d, bytes, cudaMemcpyDefault);
  printf("%d\n", h[0]);
  cudaFree(d);
  free(h);
  return 0;
}
