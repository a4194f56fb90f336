// expects: exited 0
// expects: launches 2
// expects: prints reflecting ok
// expects: prints periodic ok
// How the border is read is a functor and a template argument; the host uses the same functor.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

struct Reflecting {
  __host__ __device__ int operator()(int i, int n) const { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; }
};
struct Periodic {
  __host__ __device__ int operator()(int i, int n) const { return (i + n) % n; }
};

template <class Border>
__global__ void gradient(const double* __restrict__ u, double* __restrict__ g, int n, double h, Border border) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) g[i] = (8 * (u[border(i + 1, n)] - u[border(i - 1, n)]) - (u[border(i + 2, n)] - u[border(i - 2, n)])) / (12 * h);
}

template <class Border>
void gradientOnHost(const double* u, double* g, int n, double h, Border border) {
  for (int i = 0; i < n; ++i) {
    const double near = u[border(i + 1, n)] - u[border(i - 1, n)], far = u[border(i + 2, n)] - u[border(i - 2, n)];
    g[i] = (8 * near - far) / (12 * h);
  }
}

template <class Border>
void compare(const std::string& name, Border border) {
  const int n = 310;
  const double h = 0.1;
  std::vector<double> u(n), g(n), expected(n);
  for (int i = 0; i < n; ++i) u[i] = std::cos(h * i) + 0.01 * (i % 3);
  double *d_u, *d_g;
  cudaMalloc(&d_u, n * sizeof(double));
  cudaMalloc(&d_g, n * sizeof(double));
  cudaMemcpy(d_u, u.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  gradient<<<5, 64>>>(d_u, d_g, n, h, border);
  cudaMemcpy(g.data(), d_g, n * sizeof(double), cudaMemcpyDeviceToHost);
  gradientOnHost(u.data(), expected.data(), n, h, border);
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(g[i] - expected[i]));
  std::printf("%s %s\n", name.c_str(), largest < 1e-9 ? "ok" : "wrong");
  cudaFree(d_u);
  cudaFree(d_g);
}

int main() {
  compare("reflecting", Reflecting{});
  compare("periodic", Periodic{});
}
