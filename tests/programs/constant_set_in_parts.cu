// expects: exited 0
// expects: launches 3
// The constant is set in two parts, the first of which is all that the first launch is to use. Of the other constant
// each element is read with a fourth component that nothing uses.
#include <cstdio>
#include <vector>

__constant__ float weights[6];
__constant__ float4 axes[2];

__global__ void combine(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 6 > n) return;
  float s = 0.0f;
  for (int k = 0; k < 6; ++k) s += weights[k] * in[i + k];
  out[i] = s;
}

__global__ void project(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 > n) return;
  const float4 one = axes[1];
  out[i] = one.x * in[i] + one.y * in[i + 1] + one.z * in[i + 2];
}

int main() {
  const int n = 500;
  std::vector<float> h(n), r(n), w(6, 0.5f);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 7);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w.data(), 3 * sizeof(float));
  combine<<<2, 256>>>(a, b, n);
  cudaMemcpyToSymbol(weights, w.data(), 3 * sizeof(float), 3 * sizeof(float));
  combine<<<2, 256>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", r[50]);
  const float three[7] = {1, 2, 3, 4, 5, 6, 7};
  cudaMemcpyToSymbol(axes, three, sizeof three);
  project<<<2, 256>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", r[50]);
  cudaFree(a);
  cudaFree(b);
}
