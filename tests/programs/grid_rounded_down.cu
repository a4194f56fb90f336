// expects: exited 0
// expects: launches 1
// expects: explains 231 elements of out pass the kernel's own bounds check, and no thread reaches them; the first is out[768]
// expects: explains The launch at line 21 has 3 blocks of 256 threads; 4 blocks reach them all
// The division that makes the grid is rounded down.
#include <cstdio>
#include <vector>
__global__ void smooth(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;  // finds: unwritten-output
}
int main() {
  const int n = 1000;
  std::vector<float> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, n * sizeof(float));
  smooth<<<n / 256, 256>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[500]);
  cudaFree(a);
  cudaFree(b);
}
