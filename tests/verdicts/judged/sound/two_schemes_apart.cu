// the device computes the backward difference, the host the forward one; prints how far the two schemes are apart.
#include <cmath>
#include <cstdio>
#include <vector>
const int N = 200;
__global__ void backward(const float* u, float* d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= N - 2) return;
  d[i] = u[i + 0] - u[i - 1];
}
int main() {
  std::vector<float> u(N), d(N, 0.0f), f(N, 0.0f);
  for (int i = 0; i < N; i++) u[i] = (i * 31 % 97) * 0.1f;
  float *a, *b;
  cudaMalloc(&a, N * sizeof(float)); cudaMalloc(&b, N * sizeof(float));
  cudaMemcpy(a, u.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, N * sizeof(float));
  backward<<<2, 128>>>(a, b);
  cudaMemcpy(d.data(), b, N * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 2; i < N - 2; i++) f[i] = u[i] - u[i - 2];
  float worst = 0;
  for (int i = 0; i < N; i++) worst = fmaxf(worst, fabsf(d[i] - f[i]));
  printf("the narrow and the wide difference are at most %g apart\n", worst);
  cudaFree(a); cudaFree(b);
}
