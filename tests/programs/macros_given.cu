// Macros given on the command line count in both halves, whatever the text defines.
// runs defining: N 64
// runs defining: SCALE 3
// runs defining: T 5
// expects: exited 0
// expects: launches 1
// expects: prints 64 3 8 64 5
#include <cstdio>
#include <vector>
#define N 512
#ifndef SCALE
#define SCALE 2
#endif
#define HALF 8
#define T \
  7

__global__ void sizes(int* out) {
  out[0] = N;
  out[1] = SCALE;
  out[2] = HALF;
}

int main() {
  int *device;
  std::vector<int> host(3);
  cudaMalloc(&device, 3 * sizeof(int));
  sizes<<<1, 1>>>(device);
  cudaMemcpy(host.data(), device, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", host[0], host[1], host[2], N, T);
  cudaFree(device);
}
