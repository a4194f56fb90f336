// expects: exited 0
// expects: launches 43
// Launches that are the same on purpose: for a mean time, and of a kernel that adds to what is there.
#include <cstdio>
#include <vector>

__global__ void mean(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}
__global__ void add(const float* a, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += a[i];
}

int main() {
  const int n = 3000;
  std::vector<float> h(n), r(n), sums(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  cudaMemset(c, 0, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int k = 0; k < 3; ++k) mean<<<24, 128>>>(a, b, n);
  cudaEventRecord(start);
  for (int k = 0; k < 20; ++k) mean<<<24, 128>>>(a, b, n);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  for (int k = 0; k < 20; ++k) add<<<24, 128>>>(a, c, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums.data(), c, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f ms, %f, %f\n", ms / 20, r[7], sums[7]);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
