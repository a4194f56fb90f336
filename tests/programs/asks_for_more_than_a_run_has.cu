// expects: exited 0
// expects: launches 0
// expects: prints 0 2
// expects: sizes It asks for more memory than the 4.29 GB that a program can use here
// Memory of the host that kernels can use counts, too.
#include <cstdio>

int main() {
  float *a = nullptr, *b = nullptr;
  const int first = cudaMalloc(&a, size_t(3) << 30);
  printf("%d %d\n", first, cudaMallocHost(&b, size_t(2) << 30));
  cudaFree(a);
}
