// Assertions that hold change nothing, whatever they read; __assert_fail() that no thread comes to neither.
// expects: exited 0
// expects: launches 1
// expects: prints 9
#include <cassert>
#include <cstdio>

__global__ void sums(int* out, const int* in, int n) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  assert(tile[threadIdx.x] == in[threadIdx.x] && "the tile is a copy");
  if (n > 32) __assert_fail("n <= 32", __FILE__, __LINE__, __func__);
  for (int i = 0; i < 3; ++i) {
    assert(i + n < 64), out[threadIdx.x] += tile[threadIdx.x];
    if (n < 0) __trap();
  }
}

int main() {
  int host[32], *in, *out;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  sums<<<1, 32>>>(out, in, 32);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[3]);
  cudaFree(in);
  cudaFree(out);
}
