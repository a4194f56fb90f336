// expects: exited 0
// expects: launches 2
#include <cstdio>
#include <vector>

// The host computes one scheme of advection; the other kernel takes the same parameters and is another scheme. At a step
// of the profile alone do the two differ.

__global__ void upwind(const float* u, float* v, float c, int n) {  // matches: upwind_host
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) { v[i] = u[i] - c * (u[i] - u[i - 1]); }
}

__global__ void lax_friedrichs(const float* u, float* v, float c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) { v[i] = 0.5f * (u[i - 1] + u[i + 1]) - 0.5f * c * (u[i + 1] - u[i - 1]); }
}

void upwind_host(const float* u, float* v, float c, int n) {
  for (int i = 1; i < n - 1; ++i) { v[i] = u[i] - c * (u[i] - u[i - 1]); }
}

int main() {
  const int n = 100;
  std::vector<float> u(n), v(n), w(n);
  for (int i = 40; i < 60; ++i) { u[i] = 1.0f; }
  v = w = u;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  upwind<<<1, 128>>>(a, b, 0.5f, n);
  cudaMemcpy(w.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  upwind_host(u.data(), v.data(), 0.5f, n);
  int differing = 0;
  for (int i = 0; i < n; ++i) { differing += v[i] != w[i]; }
  printf("%d differ\n", differing);
  cudaMemcpy(b, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  lax_friedrichs<<<1, 128>>>(a, b, 0.5f, n);
  cudaMemcpy(w.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", w[60]);
  cudaFree(a);
  cudaFree(b);
}
