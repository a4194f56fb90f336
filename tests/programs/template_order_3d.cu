// expects: exited 0
// expects: launches 3
// A stencil whose order and type are template arguments, its coefficients in constant memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T>
struct Grid {
  int nx, ny, nz;
  __host__ __device__ int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
};

__constant__ double kCoefficients[8];

template <typename T, int ORDER>
__global__ void laplacian(Grid<T> g, const T* in, T* out) {  // matches: laplacian_host
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < ORDER || y < ORDER || z < ORDER || x >= g.nx - ORDER || y >= g.ny - ORDER || z >= g.nz - ORDER) return;
  T sum = T(3 * kCoefficients[0]) * in[g.at(x, y, z)];
#pragma unroll
  for (int d = 1; d <= ORDER; ++d) {
    sum += T(kCoefficients[d]) * (in[g.at(x - d, y, z)] + in[g.at(x + d, y, z)] + in[g.at(x, y - d, z)] +
                                  in[g.at(x, y + d, z)] + in[g.at(x, y, z - d)] + in[g.at(x, y, z + d)]);
  }
  out[g.at(x, y, z)] = sum;
}

template <typename T>
void laplacian_host(const T* in, const double* c, T* out, int nx, int ny, int nz, int order) {
  for (int z = order; z < nz - order; ++z)
    for (int y = order; y < ny - order; ++y)
      for (int x = order; x < nx - order; ++x) {
        const int at = (z * ny + y) * nx + x;
        T sum = T(3 * c[0]) * in[at];
        for (int d = 1; d <= order; ++d)
          sum += T(c[d]) * (in[at - d] + in[at + d] + in[at - d * nx] + in[at + d * nx] + in[at - d * nx * ny] +
                            in[at + d * nx * ny]);
        out[at] = sum;
      }
}

template <typename T, int ORDER>
void compare(const double* c) {
  Grid<T> g{20, 18, 17};
  const int n = g.nx * g.ny * g.nz;
  std::vector<T> in(n), out(n, T(0)), expected(n, T(0));
  for (T& one : in) one = T(std::rand() % 1000) / T(100);
  T *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(T));
  cudaMalloc(&d_out, n * sizeof(T));
  cudaMemcpy(d_in, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, n * sizeof(T));
  laplacian<T, ORDER><<<dim3(3, 3, 5), dim3(8, 8, 4)>>>(g, d_in, d_out);
  cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
  laplacian_host<T>(in.data(), c, expected.data(), g.nx, g.ny, g.nz, ORDER);
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(double(out[i]) - double(expected[i])));
  std::printf("order %d: %s\n", 2 * ORDER, largest < 1e-3 ? "ok" : "WRONG");
  cudaFree(d_in);
  cudaFree(d_out);
}

int main() {
  const double c[8] = {-2.5, 4.0 / 3, -1.0 / 12, 0, 0, 0, 0, 0};
  cudaMemcpyToSymbol(kCoefficients, c, sizeof c);
  compare<float, 1>(c);
  compare<float, 2>(c);
  compare<double, 2>(c);
}
