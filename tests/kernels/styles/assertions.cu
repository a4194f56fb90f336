// Assertions on what is read, in a file that has them on.
#include <cassert>

#define N 128
#define BLOCK 32

__device__ float checked(float x) {
  assert(x == x && "no NaN");
  return x;
}

__global__ void smooth(const float *in, float *out) {
  __shared__ float tile[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  assert(blockDim.x == BLOCK);
  tile[threadIdx.x + 1] = i < N ? in[i] : 0.0f;
  if (threadIdx.x == 0) {
    tile[0] = i > 0 ? in[i - 1] : 0.0f;
    tile[BLOCK + 1] = i + BLOCK < N ? in[i + BLOCK] : 0.0f;
  }
  __syncthreads();
  if (i < N) {
    assert(tile[threadIdx.x + 1] == in[i]);
    out[i] = 0.25f * checked(tile[threadIdx.x]) + 0.5f * tile[threadIdx.x + 1] + 0.25f * tile[threadIdx.x + 2];
  }
}

int main() {
  float *in, *out;
  cudaMalloc(&in, N * sizeof(float));
  cudaMalloc(&out, N * sizeof(float));
  cudaMemset(in, 0, N * sizeof(float));
  smooth<<<N / BLOCK, BLOCK>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
// expects: smooth clean 128
