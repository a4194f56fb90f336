// expects: exited 1
// expects: launches 1
// expects: prints FAIL
#include <stdio.h>
#include <stdlib.h>

__global__ void twice(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2 * a[i];
}

int main() {
  int n = 256;
  float *h = (float *)malloc(n * sizeof(float)), *d;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);  // finds: elements-as-bytes
  twice<<<2, 128>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) bad += h[i] != 2.0f * i;
  printf("%s\n", bad ? "FAIL" : "PASS");
  cudaFree(d);
  free(h);
  return bad != 0;
}
