// expects: exited 0
// expects: launches 1
// expects: prints 3 2147483647
#include <cmath>
#include <cstdio>

// libstdc++'s <cmath> brings std::min and std::numeric_limits along, and programs rely on it.

__global__ void set(float* a) { a[threadIdx.x] = 1; }

int main() {
  float h[32], *a;
  cudaMalloc(&a, sizeof h);
  set<<<1, 32>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
  printf("%d %d\n", std::min(3, 4), std::numeric_limits<int>::max());
  return h[31] == 1 ? 0 : 1;
}
