// expects: exited 0
// expects: launches 1
// expects: prints 64 points, 1 words
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The null pointer behind the last argument is one that a program may read, and follow others.

__global__ void twice(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2 * i;
}

int main(int argc, char **argv) {
  int words = 0;
  for (char **one = argv; *one; ++one) words += strlen(*one) > 0;
  const int n = argv[argc] ? atoi(argv[argc]) : 64;
  float *d, h[64];
  cudaMalloc(&d, n * sizeof(float));
  twice<<<(n + 63) / 64, 64>>>(d, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d points, %d words\n", n, words);
}
