// Managed memory: the host adds up the first half while a kernel works on the second, which lies on other pages.
#include <cstdio>
const int HALF = 1 << 13;
__global__ void addOne(int* part) { part[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main() {
  int* all;
  cudaMallocManaged(&all, 2 * HALF * sizeof(int));
  for (int i = 0; i < 2 * HALF; i++) all[i] = i % 19;
  addOne<<<HALF / 128, 128>>>(all + HALF);
  long sum = 0;
  for (int i = 0; i < HALF; i++) sum += all[i];
  cudaDeviceSynchronize();
  for (int i = HALF; i < 2 * HALF; i++) sum += all[i];
  printf("%ld\n", sum);
  cudaFree(all);
}
