// expects: exited 0
// expects: launches 1
// expects: prints sum 30
#include <stdio.h>
#include <stdlib.h>

// Its numbers come from a file in C, which C++ would refuse.

extern "C" int *numbers(int n);

__global__ void twice(int *a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] *= 2;
}

int main() {
  const int n = 6;
  int *h = numbers(n), *d, sum = 0;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += h[i];
  printf("sum %d\n", sum);
  cudaFree(d);
  free(h);
}
