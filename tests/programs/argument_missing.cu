// expects: lacks-input
// expects: launches 0
// expects: says The program reads argv[1], and no argument was given: give it after --, for example `haloscope check argument_missing.cu -- 64`.
#include <cstdio>
#include <cstdlib>

// Whether argv[1] is there may be asked. It is not, and atoi() is given a null pointer.

__global__ void twice(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

int main(int argc, char **argv) {
  const int n = atoi(argv[1]);  // ends here
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  twice<<<(n + 63) / 64, 64>>>(d, n);
  cudaFree(d);
}
