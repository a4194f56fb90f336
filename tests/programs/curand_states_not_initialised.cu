// expects: exited 0
// expects: launches 1
#include <curand_kernel.h>
#include <stdio.h>

__global__ void noise(curandState *states, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = curand_uniform(&states[i]);  // finds: uninitialized
}

int main() {
  curandState *states;
  float *out, host[64];
  cudaMalloc(&states, 64 * sizeof(curandState));
  cudaMalloc(&out, sizeof host);
  noise<<<1, 64>>>(states, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cudaFree(states), cudaFree(out);
}
