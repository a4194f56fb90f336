// expects: exited 0
// expects: launches 2
// The coefficients of the second launch are copied while the first may still be reading its own.
#include <cstdio>

__constant__ float taps[3];

__global__ void filter(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += taps[k] * in[min(max(i + k - 1, 0), n - 1)];
  out[i] = sum;
}

int main() {
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i) h[i] = i % 9;
  float *a, *b, *c, *weights;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMalloc(&c, sizeof h);
  cudaMallocHost(&weights, 6 * sizeof(float));
  for (int i = 0; i < 6; ++i) weights[i] = 0.125f * (i + 1);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  cudaMemcpyToSymbolAsync(taps, weights, 3 * sizeof(float), 0, cudaMemcpyHostToDevice, s1);
  filter<<<4, 256, 0, s1>>>(a, b, n);
  cudaMemcpyToSymbolAsync(taps, weights + 3, 3 * sizeof(float), 0, cudaMemcpyHostToDevice, s2);  // finds: unordered
  filter<<<4, 256, 0, s2>>>(a, c, n);  // finds: unordered
  cudaDeviceSynchronize();
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFreeHost(weights);
}
