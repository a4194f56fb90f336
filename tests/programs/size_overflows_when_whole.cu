// runs within: 3000000 instructions
// expects: exited 0
// expects: launches 3
// expects: sizes N is 65536 here instead of 1073741824 (line 10)
// expects: sizes the first launches of 1 kernel were checked, too.
#include <cstdio>

// At its own size an index passes 2³¹, which the smaller run does not show.

#define N (1024 * 1024 * 1024)
#define THREADS 256

__global__ void first(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * x + 2;  // finds: signed-overflow
  if (x < n && i >= 0 && i < 1000) a[i] = 1.0f;
}

int main() {
  float *a;
  cudaMalloc(&a, 1000 * sizeof(float));
  for (int i = 0; i < 3; ++i) first<<<N / THREADS, THREADS>>>(a, N);  // finds: never-copied-back
  cudaDeviceSynchronize();
  cudaFree(a);
}
