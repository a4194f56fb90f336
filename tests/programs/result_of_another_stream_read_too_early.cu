// expects: exited 0
// expects: launches 2
// The host waits for one stream and reads the result of the other, too.
#include <cstdio>

__global__ void count(int* a, int from) { a[threadIdx.x] = from + threadIdx.x; }

int main() {
  int *first, *second;
  cudaMallocManaged(&first, 64 * sizeof(int));
  cudaMallocManaged(&second, 64 * sizeof(int));
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  count<<<1, 64, 0, s1>>>(first, 1);
  count<<<1, 64, 0, s2>>>(second, 2);
  cudaStreamSynchronize(s1);
  printf("%d\n", first[5]);
  printf("%d\n", second[5]);  // finds: missing-synchronization
  cudaDeviceSynchronize();
  printf("%d\n", second[6]);
  cudaFree(first);
  cudaFree(second);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
}
