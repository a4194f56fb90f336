// The derivative has the wrong sign: the neighbours are subtracted the other way round.
#include <cmath>
#include <cstdio>
#include <vector>
const int N = 210;
__global__ void slope(const double* u, double* d, double scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= N - 1) return;
  d[i] = (u[i - 1] - u[i + 1]) * scale;
}
int main() {
  std::vector<double> u(N), d(N), right(N);
  for (int i = 0; i < N; i++) u[i] = sin(0.07 * i) + i * 23 % 9 * 0.1;
  double *a, *b;
  cudaMalloc(&a, N * sizeof(double));
  cudaMalloc(&b, N * sizeof(double));
  cudaMemcpy(a, u.data(), N * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, N * sizeof(double));
  slope<<<2, 128>>>(a, b, 5.0);
  cudaMemcpy(d.data(), b, N * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 1; i < N - 1; i++) right[i] = (u[i + 1] - u[i - 1]) * 5.0;
  int bad = 0;
  for (int i = 0; i < N; i++) bad += fabs(d[i] - right[i]) > 1e-9;
  printf("%d wrong\n", bad);
  cudaFree(a);
  cudaFree(b);
  return bad > 0 ? 1 : 0;
}
