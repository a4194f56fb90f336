// expects: exited 0
// expects: launches 1
// expects: explains the points are not computed alike
// No sum and no reference: but a median does not depend on the tile that its point is in.
#include <cstdio>
#include <vector>

#define TILE 16

__device__ float median3(float a, float b, float c) { return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)); }

__global__ void median(const float* in, float* out, int n) {
  __shared__ float tile[TILE + 2];
  int i = blockIdx.x * TILE + threadIdx.x;
  int t = threadIdx.x + 1;
  tile[t] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = 0.0f;
  if (threadIdx.x == TILE - 1) tile[t + 1] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = median3(tile[t - 1], tile[t], tile[t + 1]);  // finds: wrong-result
}

int main() {
  const int n = 320;
  std::vector<float> f(n), r(n);
  for (int i = 0; i < n; ++i) f[i] = float((i * 37) % 101);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  median<<<n / TILE, TILE>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[10]);
  cudaFree(a);
  cudaFree(b);
}
