// One sweep on the device, out of place, and one on the host, in place: how far they are apart is asked for, and they are.
#include <cmath>
#include <cstdio>
#include <vector>
const int N = 150;
__global__ void sweep(const float* u, float* v, const float* f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) v[i] = 0.5f * (u[i - 1] + u[i + 1] - f[i]);
}
int main() {
  std::vector<float> u(N), f(160, 0.25f), v(N), w(N);
  unsigned state = 7;
  for (float& one : u) one = (state = state * 1103515245u + 12345u) / 65536 % 100 * 0.1f;
  float *a, *b, *c;
  cudaMalloc(&a, N * sizeof(float));
  cudaMalloc(&b, N * sizeof(float));
  cudaMalloc(&c, 160 * sizeof(float));
  cudaMemcpy(a, u.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, u.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, f.data(), 160 * sizeof(float), cudaMemcpyHostToDevice);
  sweep<<<2, 96>>>(a, b, c);
  cudaMemcpy(v.data(), b, N * sizeof(float), cudaMemcpyDeviceToHost);
  w = u;
  for (int i = 1; i < N - 1; i++) w[i] = 0.5f * (w[i - 1] + w[i + 1] - f[i]);
  int apart = 0;
  for (int i = 0; i < N; i++) apart += fabsf(v[i] - w[i]) > 1e-4f;
  printf("the sweeps are apart at %d points\n", apart);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return apart > 0;
}
