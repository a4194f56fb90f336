// expects: exited 0
// expects: launches 2
// expects: prints equal
#include <cstdio>
#include <vector>

#include "kernels.cuh"

int main() {
  const int n = 700;
  std::vector<double> host(n), one(n), two(n);
  for (int i = 0; i < n; ++i) host[i] = 0.5 * (i % 31);
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  kernels::average<double, 2><<<(n + 127) / 128, 128>>>(in, out, n);
  cudaMemcpy(one.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  kernels::average_tiled<double, 2, 128><<<(n + 127) / 128, 128>>>(in, out, n);
  cudaMemcpy(two.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::puts(one == two ? "equal" : "different");
  cudaFree(in);
  cudaFree(out);
  return one == two ? 0 : 1;
}
