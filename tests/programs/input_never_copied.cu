// expects: exited 0
// expects: launches 1
#include <cstdio>
#include <vector>

__global__ void laplace(const float* u, float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) v[i] = u[i - 1] - 2 * u[i] + u[i + 1];  // finds: uninitialized
}

int main() {
  const int n = 256;
  std::vector<float> u(n, 1.0f), v(n);
  float *d_u, *d_v;
  cudaMalloc(&d_u, n * sizeof(float));
  cudaMalloc(&d_v, n * sizeof(float));
  laplace<<<2, 128>>>(d_u, d_v, n);
  cudaMemcpy(v.data(), d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", v[1]);
  cudaFree(d_u);
  cudaFree(d_v);
}
