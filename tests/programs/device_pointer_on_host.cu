// expects: crashed
// expects: launches 1
// expects: prints computed
// expects: says cudaMemcpy
#include <cstdio>

__global__ void cube(double* a) { a[threadIdx.x] = a[threadIdx.x] * a[threadIdx.x] * a[threadIdx.x]; }

int main() {
  double* a;
  cudaMalloc(&a, 16 * sizeof(double));
  cudaMemset(a, 0, 16 * sizeof(double));
  cube<<<1, 16>>>(a);
  cudaDeviceSynchronize();
  printf("computed\n");
  printf("a[2] = %f\n", a[2]);  // finds: device-pointer // ends here
  cudaFree(a);
}
