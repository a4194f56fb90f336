// expects: exited 0
// expects: launches 1
// expects: prints too many blocks in cooperative launch
#include <cooperative_groups.h>
#include <cstdio>

__global__ void meet(int* a) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) a[blockIdx.x] = 1;
}

int main() {
  int* a;
  cudaMalloc(&a, 100000 * sizeof(int));
  void* arguments[] = {&a};
  cudaError_t error = cudaLaunchCooperativeKernel((void*)meet, dim3(100000), dim3(256), arguments);  // finds: launch-limit  // fails: too large
  printf("%s\n", cudaGetErrorString(error));
  cudaFree(a);
}
