// expects: rejected
// expects: problem CUDA 12 removed texture references: use cudaCreateTextureObject
#include <cstdio>

texture<float, 1, cudaReadModeElementType> image;

__global__ void read(float *out) { out[threadIdx.x] = tex1Dfetch(image, threadIdx.x); }

int main() {
  float *memory;
  cudaMalloc(&memory, 128);
  cudaBindTexture(0, image, memory, 128);
  read<<<1, 32>>>(memory);
  cudaFree(memory);
}
