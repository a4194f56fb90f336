// Managed memory: the host reads what the kernel writes, without waiting for it. The first element is not written.
#include <cstdio>
const int N = 600;
__global__ void mean(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
int main() {
  float *in, *out;
  cudaMallocManaged(&in, N * sizeof(float));
  cudaMallocManaged(&out, N * sizeof(float));
  for (int i = 0; i < N; i++) in[i] = out[i] = i * 7 % 31;
  mean<<<5, 128>>>(in, out);
  float sum = 0;
  for (int i = 0; i < N; i++) sum += out[i];
  printf("%g\n", sum);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
