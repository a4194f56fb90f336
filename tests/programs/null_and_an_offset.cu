// A pointer that was never allocated, moved: no memory is there.
// expects: exited 0
// expects: launches 1
// expects: explains out is a null pointer that was moved, and the kernel accesses it
// expects: prints 700 an illegal memory access was encountered
#include <cstdio>

__global__ void store(float* out) { out[threadIdx.x] = 1.0f; }  // finds: out-of-bounds

int main() {
  float* nothing = nullptr;
  store<<<1, 32>>>(nothing + 1000);
  cudaError_t error = cudaDeviceSynchronize();
  printf("%d %s\n", error, cudaGetErrorString(error));
}
