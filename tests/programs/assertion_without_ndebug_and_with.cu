// NDEBUG where <cassert> is included turns assert() off; included again without it, it counts.
// expects: exited 0
// expects: launches 2
// expects: prints 0 0 719
#define NDEBUG
#include <cassert>
#include <cstdio>

__global__ void ignored(int* out) {
  assert(threadIdx.x > 100);
  out[threadIdx.x] = 1;
}

#undef NDEBUG
#include <cassert>

__device__ int checked(int value) {
  assert(value >= 0);
  if (value > 30) asm volatile("trap;");  // finds: trap
  return value;
}

__global__ void counted(int* out) { out[threadIdx.x] = checked(threadIdx.x); }

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  ignored<<<1, 32>>>(out);
  cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
  counted<<<1, 32>>>(out);  // fails: a trap at 19:19 in thread (31,0,0)
  printf("%d %d %d\n", launched, ran, cudaDeviceSynchronize());
  cudaFree(out);
}
