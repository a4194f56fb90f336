// expects: diffuse clean 1936
// launch: diffuse 3,6,1 16,8,1 0
// sizes: diffuse n=46
#include <cuda_runtime.h>

#include <utility>

__global__ void diffuse(const double* u, double* v, int n, double c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1) {
    const int at = j * n + i;
    v[at] = u[at] + c * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - 4 * u[at]);
  }
}

int main() {
  constexpr int n = 46, steps = 10;
  double* fields[2];
  for (double*& field : fields) cudaMalloc(&field, n * n * sizeof(double));
  double *from = fields[0], *to = fields[1];
  const dim3 block = {16, 8};
  const dim3 grid = {(n + block.x - 1) / block.x, (n + block.y - 1) / block.y};
  for (int t = 0; t < steps; t += 2) {
    diffuse<<<grid, block>>>(from, to, n, 0.1);
    diffuse<<<grid, block>>>(to, from, n, 0.1);
  }
  for (int t = 0; t < steps; ++t) {
    diffuse<<<grid, block>>>(fields[t % 2], fields[1 - t % 2], n, 0.1);
    std::swap(from, to);
  }
  cudaDeviceSynchronize();
}
