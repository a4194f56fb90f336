// expects: exited 0
// expects: launches 1
#include <stdio.h>

__global__ void square(float *a) { a[threadIdx.x] *= a[threadIdx.x]; }

int main() {
  float h[64];
  for (int i = 0; i < 64; i++) h[i] = i;
  float *d, *spare;
  cudaMalloc(&d, sizeof(h));  // finds: never-freed
  cudaMalloc(&spare, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  square<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaFree(spare);
  return 0;
}
