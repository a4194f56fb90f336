// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cuda_pipeline.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define BLOCK 64
#define R 2

// A tile with halo, copied past the registers; what lies outside the array is filled with zeros.
__global__ void blur(const float *in, float *out, int n) {
  __shared__ float tile[BLOCK + 2 * R];
  int first = blockIdx.x * BLOCK - R;
  for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK) {
    int from = first + i;
    bool inside = from >= 0 && from < n;
    __pipeline_memcpy_async(&tile[i], &in[inside ? from : 0], sizeof(float), inside ? 0 : sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = -R; k <= R; k++) sum += tile[threadIdx.x + R + k];
    out[i] = sum;
  }
}

int main() {
  float *in = (float *)malloc(N * sizeof(float)), *out = (float *)malloc(N * sizeof(float));
  for (int i = 0; i < N; i++) in[i] = (float)(i * 7 % 11);
  float *d_in, *d_out;
  cudaMalloc(&d_in, N * sizeof(float));
  cudaMalloc(&d_out, N * sizeof(float));
  cudaMemcpy(d_in, in, N * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, N);
  cudaMemcpy(out, d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    float sum = 0.0f;
    for (int k = -R; k <= R; k++) sum += i + k >= 0 && i + k < N ? in[i + k] : 0.0f;
    wrong += sum != out[i];
  }
  printf("wrong: %d\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  free(in);
  free(out);
  return wrong != 0;
}
