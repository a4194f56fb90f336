// expects: exited 1
// expects: launches 1
#include <cuda/barrier>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define BLOCK 64
#define R 2

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void blur(const float *in, float *out, int n) {
  __shared__ float tile[BLOCK + 2 * R];
  __shared__ barrier arrived;
  int first = blockIdx.x * BLOCK - R, end = first + BLOCK + 2 * R;
  int from = first < 0 ? 0 : first, to = end < n ? end : n;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (threadIdx.x == 0) init(&arrived, 32);  // a phase ends without the other warp
  __syncthreads();
  for (int k = from + threadIdx.x; k < to; k += BLOCK)
    cuda::memcpy_async(&tile[k - from], &in[k], sizeof(float), arrived);  // finds: race-shared
  arrived.arrive_and_wait();
  if (i < n) {
    float sum = 0.0f;
    for (int k = -R; k <= R; k++) sum += i + k >= 0 && i + k < n ? tile[i + k - from] : 0.0f;
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
