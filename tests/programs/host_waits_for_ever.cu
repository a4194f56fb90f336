// runs within: 1 s
// expects: too-long
// A loop of launches whose result never changes.
#include <cstdio>

__global__ void decay(float* p) { *p = *p * 0.5f + 1.0f; }

int main() {
  float *d, h = 100;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  while (h > 1.0f) {
    decay<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  }
  cudaFree(d);
}
