// expects: exited 0
// expects: launches 1
// expects: prints 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// expects: prints the third 1
#include <curand_kernel.h>
#include <cstdio>

// Philox is defined by its authors' test vectors.

__global__ void draw(unsigned int *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  for (int i = 0; i < 4; ++i) out[i] = curand(&state);
  const unsigned int fifth = curand(&state);
  curandStatePhilox4_32_10_t other;
  curand_init(0, 0, 2, &other);
  out[4] = curand(&other) == out[2];
  curand_init(0, 0, 4, &other);
  out[5] = curand(&other) == fifth;
}

int main() {
  unsigned int *d, host[6];
  cudaMalloc(&d, sizeof host);
  draw<<<1, 1>>>(d);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  printf("%08x %08x %08x %08x\nthe third %u, the fifth %u\n", host[0], host[1], host[2], host[3], host[4], host[5]);
  cudaFree(d);
  return host[5] ? 0 : 3;
}
