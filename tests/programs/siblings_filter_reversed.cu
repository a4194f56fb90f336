// expects: exited 0
// expects: launches 2
// expects: prints max error: 0
// expects: explains it takes c[0] where naive takes c[2], and c[2] where naive takes c[0]
// Two kernels that make the same of the program's own data, whose filter is symmetric: one takes it in reverse order,
// which neither their names nor the program's comparison can tell.
#include <cmath>
#include <cstdio>
#include <vector>

__constant__ float c[3];

__global__ void naive(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = c[0] * in[i - 1] + c[1] * in[i] + c[2] * in[i + 1];  // finds: wrong-result
}

__global__ void looped(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += c[2 - k] * in[i - 1 + k];
  out[i] = sum;  // finds: wrong-result
}

int main() {
  const int n = 1000;
  std::vector<float> h(n), a(n), b(n);
  for (int i = 0; i < n; ++i) h[i] = std::sin(0.1f * i);
  float hc[3] = {0.25f, 0.5f, 0.25f};
  cudaMemcpyToSymbol(c, hc, sizeof(hc));
  float *di, *d1, *d2;
  cudaMalloc(&di, n * sizeof(float));
  cudaMalloc(&d1, n * sizeof(float));
  cudaMalloc(&d2, n * sizeof(float));
  cudaMemcpy(di, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  naive<<<(n + 127) / 128, 128>>>(di, d1, n);
  looped<<<(n + 127) / 128, 128>>>(di, d2, n);
  cudaMemcpy(a.data(), d1, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d2, n * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 1; i < n - 1; ++i) {
    float r = 0.25f * h[i - 1] + 0.5f * h[i] + 0.25f * h[i + 1];
    worst = std::fmax(worst, std::fabs(a[i] - r));
    worst = std::fmax(worst, std::fabs(b[i] - r));
  }
  printf("max error: %g\n", worst);
  cudaFree(di);
  cudaFree(d1);
  cudaFree(d2);
}
