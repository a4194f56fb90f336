// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <cuda/barrier>
#include <stdio.h>
#include <stdlib.h>

#define N 1024
#define BLOCK 64
#define R 2
#define PAD 4  // elements beside the block's: 16 bytes

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void blur(const float *in, float *out) {
  __shared__ alignas(16) float tile[BLOCK + 2 * PAD];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier arrived;
  int first = blockIdx.x * BLOCK - PAD;
  int from = max(first, 0), to = min(first + BLOCK + 2 * PAD, N);
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  for (int k = threadIdx.x; k < BLOCK + 2 * PAD; k += BLOCK) tile[k] = 0.0f;
  cuda::device::experimental::fence_proxy_async_shared_cta();  // the zeros come before the copy
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    size_t bytes = (to - from) * sizeof(float);
    cuda::device::memcpy_async_tx(tile + (from - first), in + from, cuda::aligned_size_t<16>(bytes), arrived);
    token = cuda::device::barrier_arrive_tx(arrived, 1, bytes);
  } else {
    token = arrived.arrive();
  }
  arrived.wait(std::move(token));
  float sum = 0.0f;
  for (int k = -R; k <= R; k++) sum += tile[threadIdx.x + PAD + k];
  out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

int main() {
  float *in = (float *)malloc(N * sizeof(float)), *out = (float *)malloc(N * sizeof(float));
  for (int i = 0; i < N; i++) in[i] = (float)(i * 7 % 11);
  float *d_in, *d_out;
  cudaMalloc(&d_in, N * sizeof(float));
  cudaMalloc(&d_out, N * sizeof(float));
  cudaMemcpy(d_in, in, N * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<N / BLOCK, BLOCK>>>(d_in, d_out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
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
