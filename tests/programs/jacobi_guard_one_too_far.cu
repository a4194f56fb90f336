// expects: exited 0
// expects: launches 2
// The guard lets the last column and row in: they read beyond the row, and beyond the array.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void jacobi(const double* u, double* v, const double* f, int nx, int ny, double h2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i <= nx - 1 && j <= ny - 1)
    v[j * nx + i] = 0.25 * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] + u[(j + 1) * nx + i] - h2 * f[j * nx + i]);  // finds: out-of-bounds
}

int main() {
  const int nx = 50, ny = 30;
  std::vector<double> host(nx * ny, 0.5);
  double *u, *v, *f;
  for (double** p : {&u, &v, &f}) {
    cudaMalloc(p, nx * ny * sizeof(double));
    cudaMemcpy(*p, host.data(), nx * ny * sizeof(double), cudaMemcpyHostToDevice);
  }
  dim3 block(16, 8), grid((nx - 2 + 15) / 16, (ny - 2 + 7) / 8);
  jacobi<<<grid, block>>>(u, v, f, nx, ny, 1e-3);
  jacobi<<<grid, block>>>(v, u, f, nx, ny, 1e-3);
  cudaMemcpy(host.data(), u, nx * ny * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[nx + 1]);
  cudaFree(u);
  cudaFree(v);
  cudaFree(f);
}
