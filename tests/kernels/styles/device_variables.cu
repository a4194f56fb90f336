#include <cstdio>

// A counter and weights in device variables: no parameter points to them.
#define WIDTH 5

__device__ unsigned int skipped;
__device__ float weights[WIDTH] = {0.05f, 0.25f, 0.4f, 0.2f, 0.1f};
__device__ float scratch[4][256];

__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) {
    if (i < n) out[i] = in[i];
    atomicAdd(&skipped, 1u);
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < WIDTH; ++k) sum += weights[k] * in[i + k - 2];
  out[i] = sum;
}

__global__ void rows(const float* in) {
  scratch[blockIdx.x][threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  smooth<<<(n + 127) / 128, 128>>>(in, out, n);
  rows<<<4, 256>>>(in);
  unsigned int count = 0;
  cudaMemcpyFromSymbol(&count, skipped, sizeof count);
  printf("%u\n", count);
}
// expects: smooth clean
// expects: rows clean
