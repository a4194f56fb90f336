// runs within: 20000000 instructions
// expects: exited 0
// expects: launches 1
// expects: sizes does not run to its end with a smaller size
// 2.5 million blocks of 1024 threads: the global index does not fit into an int, and the guard lets negative ones pass.
#include <cstdio>

__global__ void fill(float* a, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // finds: signed-overflow
  if (i < n) a[i] = value;  // finds: out-of-bounds
}

int main() {
  const int n = 1 << 16;
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  const unsigned blocks = 2500000;
  fill<<<blocks, 1024>>>(a, n, 1.0f);
  cudaFree(a);
  printf("done\n");
}
