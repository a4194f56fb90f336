// runs within: 3000000 instructions
// expects: exited 0
// expects: launches 1
// expects: sizes offers no smaller size
#include <cstdio>

// Nothing says how to make it smaller: the blocks at the grid's borders and in its middle are executed.

__global__ void fill(float *a) {
  a[(size_t)(blockIdx.y * 16 + threadIdx.y) * 8192 + blockIdx.x * 16 + threadIdx.x] = 1.0f;
}

int main() {
  float *a;
  cudaMalloc(&a, sizeof(float) * 8192 * 8192);
  fill<<<dim3(512, 512), dim3(16, 16)>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
