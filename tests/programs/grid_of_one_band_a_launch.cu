// expects: exited 0
// expects: launches 2
// Each launch does one band of the grid, whose first row it gets as a number: nothing is left out.
#include <cstdio>
#include <vector>

__global__ void scale(const float* in, float* out, int w, int h, int first) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = first + blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = 2.0f * in[y * w + x];
}

int main() {
  const int w = 40, h = 32, n = w * h;
  std::vector<float> f(n, 1.0f), r(n);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(8, 8), grid(5, 2);
  scale<<<grid, block>>>(a, b, w, h, 16);
  scale<<<grid, block>>>(a, b, w, h, 0);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[50]);
  cudaFree(a);
  cudaFree(b);
}
