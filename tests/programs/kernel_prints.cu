// expects: exited 0
// expects: launches 1
// expects: prints host has the last word
#include <cstdio>

__global__ void hello(const int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  printf("thread %d of block %d has %d\n", threadIdx.x, blockIdx.x, a[i]);
}

int main() {
  int h[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  hello<<<2, 4>>>(d);
  cudaDeviceSynchronize();
  printf("host has the last word\n");
  cudaFree(d);
}
