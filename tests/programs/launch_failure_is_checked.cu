// expects: exited 1
// expects: launches 1
// expects: prints invalid argument
#include <iostream>

__global__ void k(float* a) { a[threadIdx.x] = 1; }

int main() {
  float* a;
  cudaMalloc(&a, 4096 * sizeof(float));
  k<<<1, 4096>>>(a);  // finds: launch-limit // fails: at most 1024
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    std::cout << "launch failed: " << cudaGetErrorString(error) << "\n";
    cudaFree(a);
    return 1;
  }
  cudaFree(a);
}
