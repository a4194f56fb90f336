// expects: exited 0
// expects: launches 1
#include <cub/block/block_reduce.cuh>
#include <stdio.h>

// Between two uses of the same storage there has to be a barrier.

__global__ void extremes(const float *in, float *out) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ Reduce::TempStorage temp;
  const float v = in[blockIdx.x * 128 + threadIdx.x];
  const float sum = Reduce(temp).Sum(v);
  const float all = Reduce(temp).Reduce(v, cub::Min());  // finds: race-shared
  if (threadIdx.x == 0) out[blockIdx.x] = sum + all;
}

int main() {
  float host[256], *in, *out;
  for (int i = 0; i < 256; ++i) host[i] = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2 * sizeof(float));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  extremes<<<2, 128>>>(in, out);
  cudaMemcpy(host, out, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cudaFree(in), cudaFree(out);
}
