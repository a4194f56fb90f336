// expects: exited 0
// expects: launches 7
#include <cstdio>
#include <utility>

// Two arrays that change places and a scratch array are used; what the last kernel writes is not.

__global__ void step(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
__global__ void sum(const float* in, float* partial) { if (threadIdx.x == 0) *partial = in[0] + in[1]; }
__global__ void scale(float* out, const float* partial) { out[threadIdx.x] *= *partial; }

int main() {
  float h[32] = {}, *a, *b, *partial, *left;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMalloc(&partial, sizeof(float));
  cudaMalloc(&left, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  for (int i = 0; i < 4; ++i) {
    step<<<1, 32>>>(a, b);
    std::swap(a, b);
  }
  sum<<<1, 32>>>(a, partial);
  scale<<<1, 32>>>(a, partial);
  step<<<1, 32>>>(a, left);  // finds: never-copied-back
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(partial);
  cudaFree(left);
}
