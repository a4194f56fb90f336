#include <cassert>
#include <cstdio>
__global__ void histogram(const unsigned char* data, unsigned int* bins, int n) {
  __shared__ unsigned int local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0u;
  __syncthreads();
  assert(n > 0);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
    if (b == 0 && blockIdx.x == 0) printf("%u\n", local[0]);
  }
  __threadfence();
}
int main() {
  int n = 3000; unsigned char* d; unsigned int* h;
  cudaMalloc(&d, n); cudaMalloc(&h, 256 * sizeof(unsigned int));
  histogram<<<4, 128>>>(d, h, n);
}
// expects: histogram clean 1
// stepping: histogram refused an atomic operation whose operands read memory
