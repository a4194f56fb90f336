// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cuda_pipeline_primitives.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 32
#define CHUNKS 8
#define N (BLOCK * CHUNKS * 4)

// While a chunk is summed up, the next one is on its way: 16 bytes a thread.
__global__ void sumChunks(const float4 *in, float *out) {
  __shared__ float4 buffer[2][BLOCK];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  float sum = 0.0f;
  for (int chunk = 0; chunk < CHUNKS; chunk++) {
    if (chunk + 1 < CHUNKS)
      __pipeline_memcpy_async(&buffer[(chunk + 1) % 2][t], &in[(chunk + 1) * BLOCK + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = buffer[chunk % 2][(t + 1) % BLOCK];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  float *in = (float *)malloc(N * sizeof(float)), out[BLOCK];
  for (int i = 0; i < N; i++) in[i] = (float)(i % 17);
  float *d_in, *d_out;
  cudaMalloc(&d_in, N * sizeof(float));
  cudaMalloc(&d_out, sizeof(out));
  cudaMemcpy(d_in, in, N * sizeof(float), cudaMemcpyHostToDevice);
  sumChunks<<<1, BLOCK>>>((const float4 *)d_in, d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < BLOCK; t++) {
    float sum = 0.0f;
    for (int chunk = 0; chunk < CHUNKS; chunk++)
      for (int k = 0; k < 4; k++) sum += in[(chunk * BLOCK + (t + 1) % BLOCK) * 4 + k];
    wrong += sum != out[t];
  }
  printf("wrong: %d\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  free(in);
  return wrong != 0;
}
