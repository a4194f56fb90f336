#include <cuda_runtime.h>
extern __shared__ unsigned char pool[];
__global__ void heat(const float* in, float* out, int n, float alpha) {
  float* tile = reinterpret_cast<float*>(pool);
  float* flux = tile + blockDim.x + 2;
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + 1;
  if (g < n) tile[l] = in[g];
  if (threadIdx.x == 0) tile[0] = g > 0 ? in[g - 1] : 0.0f;
  if (threadIdx.x == blockDim.x - 1 || g == n - 1) tile[l + 1] = g + 1 < n ? in[g + 1] : 0.0f;
  __syncthreads();
  if (g < n) {
    flux[threadIdx.x] = tile[l - 1] - 2.0f * tile[l] + tile[l + 1];
    out[g] = fmaf(alpha, flux[threadIdx.x], tile[l]);
  }
}
int main() {
  const int n = 1 << 12;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float)); cudaMalloc(&y, n * sizeof(float));
  int threads = 128;
  size_t bytes = (2 * threads + 2) * sizeof(float);
  heat<<<(n + threads - 1) / threads, threads, bytes>>>(x, y, n, 0.1f);
}
// expects: heat clean 4000
