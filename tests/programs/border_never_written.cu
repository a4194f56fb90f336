// expects: exited 0
// expects: launches 4
// The sweep writes the inside alone, and the second array's border is never set: the next sweep reads it.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void sweep(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);  // finds: uninitialized
  }
}

int main() {
  const int n = 40;
  std::vector<float> field(n * n, 1.0f);
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMemcpy(a, field.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  for (int s = 0; s < 4; ++s) {
    sweep<<<dim3(3, 3), dim3(16, 16)>>>(a, b, n);
    std::swap(a, b);
  }
  cudaMemcpy(field.data(), a, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", field[n + 1]);
  cudaFree(a);
  cudaFree(b);
}
