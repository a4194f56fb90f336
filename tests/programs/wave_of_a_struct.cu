// expects: exited 0
// expects: launches 12
// The sizes are fields of a struct: a kernel that is looked at alone gets the program's own, and a grid that follows.
#include <cstdio>
#include <vector>

struct Grid {
  int nx, nz;
  float dt, dx;
};

__global__ void step(const float* prev, const float* cur, float* next, const float* vel, Grid g) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x, iz = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix < 1 || iz < 1 || ix >= g.nx - 1 || iz >= g.nz - 1) return;
  int p = iz * g.nx + ix;
  float k = vel[p] * g.dt / g.dx;
  next[p] = 2 * cur[p] - prev[p] +
            k * k * (cur[p - 1] + cur[p + 1] + cur[p - g.nx] + cur[p + g.nx] - 4 * cur[p]);
}

int main() {
  const Grid g{300, 90, 0.0005f, 5.0f};
  const size_t n = size_t(g.nx) * g.nz, bytes = n * sizeof(float);
  std::vector<float> velocity(n, 1500.0f), field(n, 0.0f);
  field[30 * g.nx + 150] = 1;
  float *u[3], *v;
  for (auto& one : u) {
    cudaMalloc(&one, bytes);
    cudaMemcpy(one, field.data(), bytes, cudaMemcpyHostToDevice);
  }
  cudaMalloc(&v, bytes);
  cudaMemcpy(v, velocity.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(32, 16), grid((g.nx + 31) / 32, (g.nz + 15) / 16);
  for (int i = 0; i < 12; ++i) step<<<grid, block>>>(u[i % 3], u[(i + 1) % 3], u[(i + 2) % 3], v, g);
  cudaMemcpy(field.data(), u[1], bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", field[30 * g.nx + 150]);
  for (auto* one : u) cudaFree(one);
  cudaFree(v);
}
