// expects: exited 0
// expects: launches 5
// expects: prints centre 7.875 after 5 sweeps
#include <cstdio>

__managed__ int sweepsDone = 0;

__global__ void spread(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = (i > 0 ? in[i - 1] : 0) + 2 * in[i] + (i < n - 1 ? in[i + 1] : 0);
  if (i == 0) sweepsDone++;
}

int main() {
  const int n = 64;
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = i == n / 2 ? 1.0f : 0.0f;
  for (int s = 0; s < 5; ++s) {
    spread<<<1, n>>>(a, b, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) a[i] = b[i] * 0.5f;
  }
  // Five sweeps of (1 2 1) / 2: 252 of the 1024 paths of ten steps end where they began, times 2^5.
  printf("centre %g after %d sweeps\n", a[n / 2], sweepsDone);
  cudaFree(a);
  cudaFree(b);
}
