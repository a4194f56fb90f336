// relaxation with a given number of sweeps; the host checks the residual and returns 1: not converged yet, which is meant.
#include <cmath>
#include <vector>
const int N = 64;
__global__ void relax(const float* u, float* v, const float* f, int sweeps) {
  __shared__ float s[N], t[N];
  int i = threadIdx.x;
  s[i] = u[i];
  __syncthreads();
  for (int k = 0; k < sweeps; ++k) {
    t[i] = i > 0 && i < N - 1 ? 0.1f * (s[i - 1] + s[i + 1]) + f[i] : s[i];
    __syncthreads();
    s[i] = t[i];
    __syncthreads();
  }
  v[i] = s[i];
}
int main() {
  std::vector<float> u(N), f(N), v(N);
  for (int i = 0; i < N; i++) { u[i] = (i * 31 % 17) * 0.3f; f[i] = 0.1f * (i % 7); }
  float *a, *b, *c;
  cudaMalloc(&a, N * 4); cudaMalloc(&b, N * 4); cudaMalloc(&c, N * 4);
  cudaMemcpy(a, u.data(), N * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(c, f.data(), N * 4, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, N * 4);
  relax<<<1, N>>>(a, b, c, 3);
  cudaMemcpy(v.data(), b, N * 4, cudaMemcpyDeviceToHost);
  float r = 0;
  for (int i = 1; i < N - 1; i++) r = fmaxf(r, fabsf(v[i] - 0.1f * (v[i - 1] + v[i + 1]) - f[i]));
  cudaFree(a); cudaFree(b); cudaFree(c);
  return r < 0.02f ? 0 : 1;
}
