#include <math.h>
#include <assert.h>
#define BLOCK_DIM 8
#define C0 0.5f
#define C1 0.08f
__global__ void basic(float* in, float* out, unsigned int N) {
  unsigned i = blockIdx.z * BLOCK_DIM + threadIdx.z, j = blockIdx.y * BLOCK_DIM + threadIdx.y,
           k = blockIdx.x * BLOCK_DIM + threadIdx.x;
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1)
    out[(i * N + j) * N + k] = C0 * in[(i * N + j) * N + k] +
        C1 * (in[(i * N + j) * N + k - 1] + in[(i * N + j) * N + k + 1] + in[(i * N + j - 1) * N + k] +
              in[(i * N + j + 1) * N + k] + in[((i - 1) * N + j) * N + k] + in[((i + 1) * N + j) * N + k]);
}
void run(float* in_h, float* out_h) {
  const unsigned int N = 20;
  float *in_d, *out_d;
  cudaMalloc((void**)&in_d, N * N * N * sizeof(float));
  cudaMalloc((void**)&out_d, N * N * N * sizeof(float));
  dim3 numThreadsPerBlock(BLOCK_DIM, BLOCK_DIM, BLOCK_DIM);
  dim3 numBlocks(ceil(N / (float)BLOCK_DIM), ceil(N / (float)BLOCK_DIM), ceil(N / (float)BLOCK_DIM));
  basic<<<numBlocks, numThreadsPerBlock>>>(in_d, out_d, N);
}
// expects: basic clean 5800
