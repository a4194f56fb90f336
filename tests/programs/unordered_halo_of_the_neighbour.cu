// expects: exited 0
// expects: launches 12
// A rod in two halves, each in its own stream: the elements beside the cut belong to the other half, and nothing
// orders its last time step before they are read.
#include <cstdio>
#include <utility>

__global__ void heat(const float* in, float* out, int begin, int end, int n) {
  int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  out[i] = i == 0 || i == n - 1 ? in[i] : in[i] + 0.25f * (in[i - 1] - 2 * in[i] + in[i + 1]);
}

int main() {
  const int n = 2048;
  static float h[n];
  for (int i = 0; i < n; ++i) h[i] = i == n / 2;
  float *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  for (int t = 0; t < 6; ++t) {
    heat<<<n / 512, 256, 0, s[0]>>>(a, b, 0, n / 2, n);  // finds: unordered
    heat<<<n / 512, 256, 0, s[1]>>>(a, b, n / 2, n, n);  // finds: unordered
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[n / 2]);
  for (auto one : s) cudaStreamDestroy(one);
  cudaFree(a);
  cudaFree(b);
}
