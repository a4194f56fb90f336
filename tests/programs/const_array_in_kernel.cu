// A const array of a kernel's own, by an index that is no constant: it is no variable of the device, even if there is
// one of the same name.
// expects: exited 0
// expects: launches 3
// expects: accepts nothing
#include <cstdio>

__constant__ int dx[4] = {9, 9, 9, 9};

__global__ void local(const float *in, float *out, int n) {
  const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += in[(y + dy[k]) * n + x + dx[k]];
  out[y * n + x] = sum;
}

__global__ void evaluated(const float *in, float *out, int n) {
  constexpr float weights[3] = {0.25f, 0.5f, 0.125f};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += weights[k] * in[i + k - 1];
  out[i] = sum;
}

__global__ void ofTheDevice(int *out) { out[threadIdx.x] = dx[threadIdx.x % 4]; }

int main() {
  const int n = 40;
  float *in, *out, host[n * n], result[n * n];
  int *numbers, copied[8];
  for (int i = 0; i < n * n; ++i) host[i] = i * i % 17;
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host), cudaMalloc(&numbers, sizeof copied);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  local<<<dim3(3, 3), dim3(16, 16)>>>(in, out, n);
  cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", result[n + 1]);
  evaluated<<<1, 64>>>(in, out, n);
  cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", result[1]);
  ofTheDevice<<<1, 8>>>(numbers);
  cudaMemcpy(copied, numbers, sizeof copied, cudaMemcpyDeviceToHost);
  printf("%d\n", copied[5]);
  cudaFree(in), cudaFree(out), cudaFree(numbers);
}
