// Two mistakes: with the first one mended, the check still fails because of the second.
#include <cmath>
#include <cstdio>
#include <vector>
const int N = 200;
__global__ void blend(const float* u, float* d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= N - 2) return;
  d[i] = 0.5f * u[i] - 0.25f * u[i - 1] + 0.000003f * u[i + 2] * u[i + 2];
}
int main() {
  std::vector<float> u(N), d(N, 0.0f), f(N, 0.0f);
  for (int i = 0; i < N; i++) u[i] = (i * 31 % 97) * 0.1f;
  float *a, *b;
  cudaMalloc(&a, N * sizeof(float)); cudaMalloc(&b, N * sizeof(float));
  cudaMemcpy(a, u.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, N * sizeof(float));
  blend<<<2, 128>>>(a, b);
  cudaMemcpy(d.data(), b, N * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 2; i < N - 2; i++) f[i] = 0.5f * u[i] + 0.25f * u[i - 1] + 0.000003f * u[i + 1] * u[i + 1];
  int bad = 0;
  for (int i = 0; i < N; i++) bad += fabsf(d[i] - f[i]) > 1e-5f;
  cudaFree(a); cudaFree(b);
  if (bad) { printf("FAILED\n"); return 1; }
  printf("ok\n");
}
