// expects: exited 0
// expects: launches 1
#include <stdio.h>

__global__ void half_it(float *a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] *= 0.5f;  // finds: out-of-bounds
}

int main() {
  float h[32] = {2, 4, 6};
  float *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaFree(d);
  half_it<<<1, 32>>>(d, 32);  // finds: used-after-free
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);  // finds: used-after-free
  printf("%g\n", h[0]);
}
