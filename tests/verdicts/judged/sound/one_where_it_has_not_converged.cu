// Jacobi steps until two results in a row are the same, which takes more steps than it is given: the status is 1.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const int NX = 40, NY = 33, STEPS = 6;

__global__ void jacobi(const float* u, float* v, const float* f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= NX || y >= NY) return;
  int i = y * NX + x;
  if (x == 0 || y == 0 || x == NX - 1 || y == NY - 1) v[i] = u[i];
  else v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - NX] + u[i + NX] - f[i]);
}

int main() {
  std::vector<float> u(NX * NY), f(NX * NY), last(NX * NY), now(NX * NY);
  for (int i = 0; i < NX * NY; i++) {
    u[i] = (i * 29 % 53) * 0.1f;
    f[i] = (i * 17 % 41) * 0.05f - 1;
  }
  size_t bytes = NX * NY * sizeof(float);
  float *a, *b, *g;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&g, bytes);
  cudaMemcpy(a, u.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(g, f.data(), bytes, cudaMemcpyHostToDevice);
  bool converged = false;
  last = u;
  for (int n = 0; n < STEPS && !converged; n++) {
    jacobi<<<dim3(3, 5), dim3(16, 8)>>>(a, b, g);
    cudaMemcpy(now.data(), b, bytes, cudaMemcpyDeviceToHost);
    float change = 0;
    for (int i = 0; i < NX * NY; i++) change = fmaxf(change, fabsf(now[i] - last[i]));
    converged = change < 1e-4f;
    last = now;
    std::swap(a, b);
  }
  printf(converged ? "converged\n" : "not converged\n");
  cudaFree(a);
  cudaFree(b);
  cudaFree(g);
  return converged ? 0 : 1;
}
