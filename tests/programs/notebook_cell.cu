%%writefile notebook_cell.cu
// expects: exited 0
// expects: launches 1
```cuda
#include <cstdio>
__global__ void twice(float *a) { a[threadIdx.x] = 2 * threadIdx.x; }
int main() {
  float *d, h[32];
  cudaMalloc(&d, sizeof h);
  twice<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[1]);
  cudaFree(d);
}
```
!nvcc -arch=sm_70 notebook_cell.cu -o notebook_cell
!./notebook_cell
