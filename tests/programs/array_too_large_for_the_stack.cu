// expects: crashed
// expects: says The stack overflows
#include <cstdio>

__global__ void id(float* a) { a[threadIdx.x] += 0; }

int main() {
  float image[2048][2048];
  for (int y = 0; y < 2048; y++)
    for (int x = 0; x < 2048; x++) image[y][x] = x + y;  // ends here
  float* d;
  cudaMalloc(&d, sizeof image);
  cudaMemcpy(d, image, sizeof image, cudaMemcpyHostToDevice);
  id<<<1, 32>>>(d);
  printf("%f\n", image[3][4]);
  cudaFree(d);
}
