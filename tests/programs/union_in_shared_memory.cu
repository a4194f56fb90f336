// expects: exited 0
// expects: launches 2
// expects: prints bits 3f800000, sum 64
#include <cstdio>

// The members of a union share their memory: also where the one is still read when the other is written.

union Scratch {
  float values[64];
  unsigned int bits[64];
  struct { int count[100]; } counters;
};

__global__ void bitsOf(const float *in, unsigned int *out) {
  __shared__ Scratch scratch;
  scratch.values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = scratch.bits[63 - threadIdx.x];
}

__global__ void reuse(const float *in, float *out, int *count) {
  __shared__ Scratch scratch;
  scratch.values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += scratch.values[i];
  out[threadIdx.x] = sum;
  scratch.counters.count[threadIdx.x] = threadIdx.x;  // finds: race-shared
  __syncthreads();
  count[threadIdx.x] = scratch.counters.count[63 - threadIdx.x];
}

int main() {
  float host[64], *in, *out;
  unsigned int *bits, first;
  int *count;
  for (float &one : host) one = 1;
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host), cudaMalloc(&bits, sizeof host), cudaMalloc(&count, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  bitsOf<<<1, 64>>>(in, bits);
  reuse<<<1, 64>>>(in, out, count);
  cudaMemcpy(&first, bits, sizeof first, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int counted[64];
  cudaMemcpy(counted, count, sizeof counted, cudaMemcpyDeviceToHost);
  printf("bits %x, sum %g, count %d\n", first, host[0], counted[63]);
  cudaFree(in), cudaFree(out), cudaFree(bits), cudaFree(count);
}
