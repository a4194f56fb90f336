// expects: exited 0
// expects: launches 1
// expects: prints launch 0
// expects: prints synchronisation 700
// expects: prints then 700
#include <cstdio>

// A launch does not wait: what its kernel does wrong is returned by the first call that waits, and by all after it.

__global__ void write(float* a) {
  a[threadIdx.x] = 1;  // finds: out-of-bounds
}

int main() {
  write<<<1, 32>>>(nullptr);
  printf("launch %d\n", (int)cudaGetLastError());
  printf("synchronisation %d\n", (int)cudaDeviceSynchronize());
  printf("then %d\n", (int)cudaGetLastError());
}
