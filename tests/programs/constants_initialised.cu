// expects: exited 0
// expects: launches 2
// expects: prints 10 2.5 -7 40
// Variables of the device with initial values: in constant and global memory, in a namespace, a struct.
#include <cstdio>

struct Weights {
  float centre;
  float side[2];
};

namespace filters {
__constant__ Weights weights = {2.0f, {0.5f, 0.25f}};
__device__ double bias = -7.0;
}  // namespace filters
__constant__ int table[2][3] = {{1, 2, 3}, {4}};
__device__ int calls = 39;

__global__ void read(float* out) {
  out[0] = table[0][0] + table[0][1] + table[0][2] + table[1][0] + table[1][1];
  out[1] = filters::weights.centre + filters::weights.side[0];
  out[2] = (float)filters::bias;
}

__global__ void count() { atomicAdd(&calls, 1); }

int main() {
  float *d, h[3];
  int n;
  cudaMalloc(&d, sizeof h);
  read<<<1, 1>>>(d);
  count<<<1, 1>>>();
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, calls, sizeof n);
  printf("%g %g %g %d\n", h[0], h[1], h[2], n);
  cudaFree(d);
}
