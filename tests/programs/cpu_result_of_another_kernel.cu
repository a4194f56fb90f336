// expects: exited 0
// expects: launches 2
// The second kernel stores nothing, and the array that it is given holds the result of the first.
#include <cstdio>
#include <vector>

__global__ void mean(const float* in, float* out, int n) {  // matches: mean_of_cpu
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
}

__global__ void mean_of_a_tile(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 0) out[i] = in[i];
}

void mean_of_cpu(const float* in, float* out, int n) {
  for (int i = 1; i < n - 1; ++i) out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
}

int main() {
  const int n = 900;
  std::vector<float> in(n), out(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 37) % 101;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, n * sizeof(float));
  mean_of_cpu(in.data(), expected.data(), n);
  mean<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(out.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f %f\n", out[7], expected[7]);
  mean_of_a_tile<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(out.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", out[8]);
  cudaFree(a);
  cudaFree(b);
}
