// expects: exited 0
// expects: prints converged after
// Sweeps until the largest change, found by an atomic maximum on the bits of a float, is small.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
  std::exit(1);
}
#define CK(e) check((e), __LINE__)

__global__ void sweep(const float* u, float* v, int n, unsigned int* change) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= n - 1 || y >= n - 1) return;
  const int p = y * n + x;
  const float value = 0.25f * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n]);
  v[p] = value;
  atomicMax(change, __float_as_uint(fabsf(value - u[p])));
}

int main() {
  const int n = 18;
  std::vector<float> field(n * n, 0.0f);
  for (int i = 0; i < n; ++i) field[i] = 1.0f;
  float* u[2];
  unsigned int* change;
  for (float*& one : u) {
    CK(cudaMalloc(&one, n * n * sizeof(float)));
    CK(cudaMemcpy(one, field.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
  }
  CK(cudaMalloc(&change, sizeof *change));
  int sweeps = 0;
  float largest = 1;
  while (largest > 1e-3f && sweeps < 500) {
    CK(cudaMemset(change, 0, sizeof *change));
    sweep<<<dim3(2, 2), dim3(16, 16)>>>(u[sweeps % 2], u[1 - sweeps % 2], n, change);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&largest, change, sizeof largest, cudaMemcpyDeviceToHost));
    ++sweeps;
  }
  std::printf("%s after %d sweeps\n", sweeps < 500 ? "converged" : "gave up", sweeps);
  CK(cudaFree(u[0]));
  CK(cudaFree(u[1]));
  CK(cudaFree(change));
}
