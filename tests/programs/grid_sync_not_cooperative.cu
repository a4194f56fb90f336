// expects: exited 3
// expects: launches 1
#include <cooperative_groups.h>

__global__ void shift(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = a[(i + 1) % n];
  cooperative_groups::this_grid().sync();  // finds: grid-barrier
  a[i] = next;
}

int main() {
  float* a;
  cudaMalloc(&a, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(float));
  shift<<<4, 64>>>(a, 256);  // fails: is called in a launch that is not cooperative
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  cudaFree(a);
}
