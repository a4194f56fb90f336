// runs: 8192 100
// runs within: 2000000 instructions
// expects: exited 0
// expects: launches 20
// expects: prints 256 20
// expects: sizes The first argument is 256 here instead of 8192 and the second argument is 20 instead of 100, because they take about
#include <cstdio>
#include <cstdlib>

// The same by the program's arguments: the first is what the kernel is given, the second how often it is launched.

__global__ void scale(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) a[y * n + x] *= 0.5f;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s N STEPS\n", argv[0]);
    return 1;
  }
  const int n = atoi(argv[1]), steps = atoi(argv[2]);
  float *a;
  cudaMalloc(&a, (size_t)n * n * sizeof(float));
  cudaMemset(a, 0, (size_t)n * n * sizeof(float));
  for (int s = 0; s < steps; ++s) scale<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, n);  // finds: never-copied-back
  cudaDeviceSynchronize();
  printf("%d %d\n", n, steps);
  cudaFree(a);
}
