// expects: exited 0
// expects: launches 5
#include <cuda_runtime.h>

#include <utility>

// What the steps write is read again, but only by steps: it never reaches the host. The sum does, and with it what it is
// computed from.

__global__ void step(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
__global__ void add(const float* in, float* partial) { atomicAdd(partial, in[threadIdx.x]); }

int main() {
  float h[32] = {}, sum = 0, *a, *b, *c, *d, *partial;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMalloc(&c, sizeof h);
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&partial, sizeof sum);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(partial, 0, sizeof sum);
  step<<<1, 32>>>(c, d);
  add<<<1, 32>>>(d, partial);
  for (int i = 0; i < 3; ++i) {
    step<<<1, 32>>>(a, b);  // finds: never-copied-back
    std::swap(a, b);
  }
  cudaMemcpy(&sum, partial, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
  cudaFree(partial);
}
