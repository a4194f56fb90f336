// expects: crashed
// expects: launches 1
// expects: says free() is given a pointer to the device's memory: free it with cudaFree.
#include <cstdlib>

__global__ void fill(float* a) { a[threadIdx.x] = 1; }

int main() {
  float *a, h[32];
  cudaMalloc(&a, sizeof h);
  fill<<<1, 32>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  free(a);  // finds: invalid-free // ends here
}
