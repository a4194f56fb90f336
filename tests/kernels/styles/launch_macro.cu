// expects: smooth clean 998
// launch: smooth 8,1,1 128,1,1 0
// sizes: smooth n=1000
#include <cstdio>

#define CUDA_CHECK(call)                                       \
  do {                                                         \
    cudaError_t status = (call);                               \
    if (status != cudaSuccess) printf("error %d\n", status);   \
  } while (0)
#define LAUNCH(kernel, grid, block, ...)     \
  do {                                       \
    kernel<<<(grid), (block)>>>(__VA_ARGS__); \
    CUDA_CHECK(cudaGetLastError());          \
  } while (0)
#define BLOCKS(n, b) (((n) + (b)-1) / (b))

__global__ void smooth(float* out, const float* in, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
}

int main() {
  const int n = 1000;
  float *a, *b;
  CUDA_CHECK(cudaMalloc(&a, n * sizeof *a));
  CUDA_CHECK(cudaMalloc(&b, n * sizeof *b));
  LAUNCH(smooth, BLOCKS(n, 128), 128, b, a, n);
  CUDA_CHECK(cudaDeviceSynchronize());
}
