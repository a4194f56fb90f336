// expects: exited 0
// expects: launches 1
#include <cstdio>

#define BLOCK 64

__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float tile[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == BLOCK - 1 || i == n - 1) tile[threadIdx.x + 2] = i < n - 1 ? in[i + 1] : 0;
    __syncthreads();  // finds: divergent-barrier
    out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
  } else {
    __syncthreads();
  }
}

int main() {
  const int n = 100;
  float h[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  smooth<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);  // fails: the barrier at
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[50]);
  cudaFree(in);
  cudaFree(out);
}
