#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define T 64
__global__ void difference(const float* in, float* out, int n) {
  __shared__ float s[T + 1];
  cg::thread_block block = cg::this_thread_block();
  int i = blockIdx.x * T + threadIdx.x;
  if (i < n) s[block.thread_rank()] = in[i];
  if (block.thread_rank() == 0) s[T] = (blockIdx.x + 1) * T < n ? in[(blockIdx.x + 1) * T] : 0.0f;
  block.sync();
  if (i + 1 < n) out[i] = s[threadIdx.x + 1] - s[threadIdx.x];
}
int main() {
  float *a, *b; int n = 1000;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  difference<<<(n + T - 1) / T, T>>>(a, b, n);
}
// expects: difference clean 990
