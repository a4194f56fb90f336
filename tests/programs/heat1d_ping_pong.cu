// expects: exited 0
// expects: launches 100
// expects: prints total heat 64.0
#include <cstdio>
#include <utility>
#include <vector>

__global__ void step(const float* now, float* next, int n, float r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = i == 0 ? n - 1 : i - 1;
  int right = i == n - 1 ? 0 : i + 1;
  next[i] = now[i] + r * (now[left] - 2.0f * now[i] + now[right]);
}

int main() {
  const int n = 200;
  const int steps = 100;
  std::vector<float> rod(n, 0.0f);
  rod[n / 2] = 64.0f;
  float *a, *b;
  cudaMalloc(&a, sizeof(float) * n);
  cudaMalloc(&b, sizeof(float) * n);
  cudaMemcpy(a, &rod[0], sizeof(float) * n, cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; ++s) {
    step<<<(n + 255) / 256, 256>>>(a, b, n, 0.25f);
    std::swap(a, b);
  }
  cudaMemcpy(&rod[0], a, sizeof(float) * n, cudaMemcpyDeviceToHost);
  double total = 0;
  for (float t : rod) total += t;
  printf("total heat %.1f\n", total);
  cudaFree(a);
  cudaFree(b);
}
