// expects: crashed
// expects: launches 1
// expects: prints Assertion
// expects: says aborts
#include <cassert>
#include <cstdio>

__global__ void fill(float* a) { a[threadIdx.x] = 1.5f; }

int main() {
  float *d, h[8];
  cudaMalloc(&d, sizeof h);
  fill<<<1, 8>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (float one : h) assert(one == 2.5f);  // ends here
  cudaFree(d);
}
