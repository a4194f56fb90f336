// runs within: 1 s
// expects: too-long
// expects: launches 1
// expects: prints starting
// expects: says did not end within 1 s
#include <cstdio>

__global__ void bump(int* p) { *p += 1; }

int main() {
  int *d, h = 0;
  cudaMalloc(&d, sizeof(int));
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  printf("starting\n");
  bump<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  volatile int residual = h;
  while (residual > 0) { residual = h; }
  printf("converged\n");
  cudaFree(d);
}
