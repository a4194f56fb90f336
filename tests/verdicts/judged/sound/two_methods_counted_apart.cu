// Two ways to smooth, both on the device: at how many points they are apart is the status.
#include <cmath>
#include <cstdio>
const int N = 130;
__global__ void three(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < N - 2) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
__global__ void five(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < N - 2) out[i] = (in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2]) / 5;
}
int main() {
  float in[N], one[N], other[N], *a, *b, *c;
  for (int i = 0; i < N; i++) in[i] = i < 40 ? 3 : i * 11 % 17;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMalloc(&c, sizeof in);
  for (float* to : {a, b, c}) cudaMemcpy(to, in, sizeof in, cudaMemcpyHostToDevice);
  three<<<1, 160>>>(a, b);
  five<<<1, 160>>>(a, c);
  cudaMemcpy(one, b, sizeof in, cudaMemcpyDeviceToHost);
  cudaMemcpy(other, c, sizeof in, cudaMemcpyDeviceToHost);
  int apart = 0;
  for (int i = 0; i < N; i++) apart += fabsf(one[i] - other[i]) > 1e-5f;
  printf("%d of %d\n", apart, N);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return apart != 0;
}
