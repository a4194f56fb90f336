// expects: exited 1
// expects: launches 1
// expects: prints timed out
#include <cstdio>

__global__ void spin(volatile int* flag) {
  while (*flag == 0) {  // finds: endless
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  spin<<<1, 1>>>(flag);  // fails: does not end
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(flag);
  return e != cudaSuccess;
}
