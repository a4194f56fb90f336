// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 32
#define CHUNKS 8
#define N (BLOCK * CHUNKS * 4)

namespace cg = cooperative_groups;

// Two stages: the block sums up one chunk while the next one is on its way.
__global__ void sumChunks(const float4 *in, float *out) {
  __shared__ float4 buffer[2][BLOCK];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int chunk = 0, next = 0; chunk < CHUNKS; chunk++) {
    for (; next < CHUNKS && next < chunk + 2; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[next % 2], in + next * BLOCK, sizeof(float4) * BLOCK, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    float4 v = buffer[chunk % 2][(t + 1) % BLOCK];
    sum += v.x + v.y + v.z + v.w;
    pipe.consumer_release();
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
