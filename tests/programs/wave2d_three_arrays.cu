// expects: exited 0
// expects: launches 30
// expects: prints wave agrees with the CPU
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

namespace physics {
struct Grid {
  int nx = 0, ny = 0;
  __host__ __device__ int at(int i, int j) const { return j * nx + i; }
  __host__ __device__ bool inside(int i, int j) const { return i > 0 && j > 0 && i < nx - 1 && j < ny - 1; }
  int points() const { return nx * ny; }
};

__host__ __device__ inline double advance(Grid g, const double* now, const double* before, int i, int j, double c2) {
  const double laplacian = now[g.at(i - 1, j)] + now[g.at(i + 1, j)] + now[g.at(i, j - 1)] + now[g.at(i, j + 1)] - 4 * now[g.at(i, j)];
  return 2 * now[g.at(i, j)] - before[g.at(i, j)] + c2 * laplacian;
}

__global__ void wave_step(Grid g, const double* before, const double* now, double* after, double c2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (g.inside(i, j)) after[g.at(i, j)] = advance(g, now, before, i, j, c2);
}
}  // namespace physics

int main() {
  const physics::Grid g{41, 33};
  const std::size_t bytes = g.points() * sizeof(double);
  std::vector<double> start(g.points());
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i)
      start[g.at(i, j)] = g.inside(i, j) ? std::exp(-0.1 * ((i - 20) * (i - 20) + (j - 16) * (j - 16))) : 0.0;
  std::array<double*, 3> field{};
  for (double*& one : field) {
    cudaMalloc(&one, bytes);
    cudaMemcpy(one, start.data(), bytes, cudaMemcpyHostToDevice);
  }
  std::array<std::vector<double>, 3> host{start, start, start};
  for (int t = 0; t < 30; ++t) {
    physics::wave_step<<<dim3(3, 5), dim3(16, 8)>>>(g, field[t % 3], field[(t + 1) % 3], field[(t + 2) % 3], 0.2);
    for (int j = 1; j < g.ny - 1; ++j)
      for (int i = 1; i < g.nx - 1; ++i)
        host[(t + 2) % 3][g.at(i, j)] = physics::advance(g, host[(t + 1) % 3].data(), host[t % 3].data(), i, j, 0.2);
  }
  std::vector<double> result(g.points());
  cudaMemcpy(result.data(), field[(29 + 2) % 3], bytes, cudaMemcpyDeviceToHost);
  const double difference = std::transform_reduce(result.begin(), result.end(), host[(29 + 2) % 3].begin(), 0.0, std::plus<>(),
                                                  [](double a, double b) { return std::abs(a - b); });
  std::cout << "wave " << (difference < 1e-9 ? "agrees with" : "differs from") << " the CPU (" << difference << ")\n";
  for (double* one : field) cudaFree(one);
  return difference < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
