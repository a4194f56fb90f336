// expects: exited 7
// expects: launches 0
// expects: prints out of memory
#include <cstdio>
#include <cstdlib>

int main() {
  for (int k = 0; k < 100000; ++k) {
    char* p = nullptr;
    cudaError_t e = cudaMalloc(&p, size_t(40) << 30);
    if (e != cudaSuccess) {
      printf("after %d: %s\n", k, cudaGetErrorString(e));
      exit(7);
    }
  }
}
