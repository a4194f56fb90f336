// expects: exited 0
// expects: launches 20
// The function that is to exchange the pointers exchanges its copies of them.
#include <stdio.h>
#include <stdlib.h>

#define NX 64
#define NY 48

__global__ void heat(const float* u, float* next, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < NX - 1 && y > 0 && y < NY - 1) {
    int i = y * NX + x;
    next[i] = u[i] + alpha * (u[i - 1] + u[i + 1] + u[i - NX] + u[i + NX] - 4 * u[i]);
  }
}

void swap(float* a, float* b) {
  float* t = a;
  a = b;
  b = t;
}

int main(void) {
  size_t size = NX * NY * sizeof(float);
  float* u = (float*)malloc(size);
  for (int i = 0; i < NX * NY; i++) u[i] = i < NX ? 100.0f : 20.0f;
  float *d_u, *d_next;
  cudaMalloc((void**)&d_u, size);
  cudaMalloc((void**)&d_next, size);
  cudaMemcpy(d_u, u, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_next, u, size, cudaMemcpyHostToDevice);
  for (int t = 0; t < 20; t++) {
    heat<<<dim3(4, 3), dim3(16, 16)>>>(d_u, d_next, 0.2f);  // finds: repeated-launch
    cudaDeviceSynchronize();
    swap(d_u, d_next);
  }
  cudaMemcpy(u, d_next, size, cudaMemcpyDeviceToHost);
  printf("%f\n", u[3 * NX + NX / 2]);
  cudaFree(d_u);
  cudaFree(d_next);
  free(u);
  return 0;
}
