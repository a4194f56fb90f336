// Diffusion on a rod, with two arrays that change places.
// expects: exited 0
// expects: launches 20
#include <cstdio>
#include <utility>
#include <vector>

__global__ void diffuse(const float* now, float* next, int n, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    next[i] = now[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1]);
  }
}

int main() {
  const int n = 1024, steps = 20;
  std::vector<float> rod(n, 0.0f);
  rod[n / 2] = 100.0f;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));  // finds: never-freed
  cudaMemcpy(a, rod.data(), n, cudaMemcpyHostToDevice);  // finds: elements-as-bytes
  cudaMemcpy(b, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    diffuse<<<n / 256, 256>>>(a, b, n, 0.2f);
    std::swap(a, b);
  }
  cudaMemcpy(rod.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("centre: %g\n", rod[n / 2]);
  cudaFree(a);
}
