// expects: exited 0
// expects: launches 2
// The point to the right is taken twice, and the one to the left is not. A difference to one side has no pair at all.
#include <cstdio>
#include <vector>

__global__ void star(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  float s = in[i - n] + in[i + n];
  s += in[i + 1];
  s += in[i + 1];  // finds: neighbour-twice
  out[i] = s - 4.0f * in[i];
}

__global__ void upwind(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n) return;
  out[i] = 1.5f * in[i] - 2.0f * in[i - 1] + 0.5f * in[i - 2];
}

int main() {
  const int n = 48;
  std::vector<float> h(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = static_cast<float>(i % 23);
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  cudaMemcpy(a, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  star<<<dim3(3, 3), dim3(16, 16)>>>(a, b, n);
  cudaMemcpy(h.data(), b, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[5 * n + 7]);
  upwind<<<9, 256>>>(a, b, n * n);
  cudaMemcpy(h.data(), b, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[5 * n + 7]);
  cudaFree(a);
  cudaFree(b);
}
