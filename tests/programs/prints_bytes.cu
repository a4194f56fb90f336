// expects: exited 0
// expects: launches 1
// expects: prints P5
// expects: prints done
// A picture on standard output: bytes that are no text, zeros among them.
#include <cstdio>

__global__ void gradient(unsigned char* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x * 8 + blockIdx.x; }

int main() {
  unsigned char h[256], *d;
  cudaMalloc(&d, sizeof h);
  gradient<<<8, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("P5 32 8 255\n");
  fwrite(h, 1, sizeof h, stdout);
  printf("\ndone\n");
  cudaFree(d);
}
