// expects: exited 0
// expects: launches 6
// The first kernel is launched for a part of the array at a time, the second one writes one number for each block into a
// larger array, and the third one adapts to any grid.
#include <cstdio>
#include <vector>

__global__ void scale(float* u, int from, int n) {
  int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) u[i] = 2 * u[i] + 1;
}

__global__ void sums(const float* u, float* partial, int n) {
  __shared__ float s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? u[i] : 0;
  for (int step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

__global__ void halve(float* u, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) u[i] *= 0.5f;
}

int main() {
  const int n = 1000;
  std::vector<float> h(n, 1.0f);
  float *u, *partial;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&partial, 64 * sizeof(float));
  cudaMemcpy(u, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(partial, 0, 64 * sizeof(float));
  for (int from = 0; from < n; from += 256) scale<<<2, 128>>>(u, from, n);
  sums<<<(n + 127) / 128, 128>>>(u, partial, n);
  halve<<<2, 128>>>(u, n);
  float sum[64];
  cudaMemcpy(h.data(), u, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(sum, partial, sizeof sum, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[999], sum[7]);
  cudaFree(u);
  cudaFree(partial);
}
