// Convolution with the filter the wrong way round. Nothing is printed; the host compares as it goes and returns 1.
#include <cmath>
#include <vector>

constexpr int kRadius = 2, kTaps = 2 * kRadius + 1, kPoints = 203;
__constant__ float taps[kTaps];

__global__ void filtered(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kPoints) { return; }
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) {
    if (i + k >= 0 && i + k < kPoints) {
      sum += taps[kRadius - k] * in[i + k];
    }
  }
  out[i] = sum;
}

int main() {
  const float h[kTaps] = {0.1f, -0.3f, 0.8f, 0.5f, 0.2f};
  std::vector<float> in(kPoints), out(kPoints);
  for (int i = 0; i < kPoints; ++i) { in[i] = 0.01f * i + std::sin(0.3f * i); }
  float *a, *b;
  cudaMalloc(&a, kPoints * sizeof(float));
  cudaMalloc(&b, kPoints * sizeof(float));
  cudaMemcpy(a, in.data(), kPoints * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(taps, h, sizeof h);
  filtered<<<(kPoints + 63) / 64, 64>>>(a, b);
  cudaMemcpy(out.data(), b, kPoints * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  for (int i = 0; i < kPoints; ++i) {
    float expected = 0;
    for (int k = 0; k < kTaps; ++k) {
      const int j = i + k - kRadius;
      if (j >= 0 && j < kPoints) { expected += h[k] * in[j]; }
    }
    if (std::fabs(expected - out[i]) > 1e-4f) { return 1; }
  }
}
