// expects: exited 0
// expects: launches 1
// expects: prints 0 0
// expects: sizes Not every launch was checked: one can write 0.537 GB at most for that.
// What is asked for is there, and a launch that could write all of it is executed without copies of it.
#include <cstdio>

__global__ void one(float* a) { a[threadIdx.x] = 1; }

int main() {
  float* a = nullptr;
  const int allocated = cudaMalloc(&a, size_t(1100) << 20);
  one<<<1, 32>>>(a);
  printf("%d %d\n", allocated, cudaDeviceSynchronize());
  float first[32];
  cudaMemcpy(first, a, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(a);
}
