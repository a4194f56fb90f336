// expects: exited 0
// expects: launches 2
// expects: prints both filters agree
// expects: prints 4 8 12
// The coefficients of two filters lie in one array of constants; each half is copied to its own offset.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

const int TAPS = 5;
__constant__ float bank[2 * TAPS];
__device__ int counters[3] = {1, 2, 3};

__global__ void filter(const float* x, float* y, int n, int which) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    float acc = 0;
    for (int t = 0; t < TAPS; ++t) {
      const int at = i + t - TAPS / 2;
      if (at >= 0 && at < n) acc += bank[which * TAPS + t] * x[at];
    }
    y[i] = acc;
    if (i < 3) counters[i] += (which + 1) * (i + 1);
  }
}

int main() {
  const int n = 300;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(0.1f * i);
  const float blur[TAPS] = {1, 4, 6, 4, 1};
  const float slope[TAPS] = {1, -8, 0, 8, -1};
  cudaMemcpyToSymbol(bank, blur, sizeof blur);
  cudaMemcpyToSymbol(bank, slope, sizeof slope, sizeof blur);

  float *d_x, *d_y;
  cudaMalloc((void**)&d_x, n * sizeof(float));
  cudaMalloc((void**)&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  bool good = true;
  for (int which = 0; which < 2; ++which) {
    const float* taps = which == 0 ? blur : slope;
    filter<<<(n + 63) / 64, 64>>>(d_x, d_y, n, which);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
      float wanted = 0;
      for (int t = 0; t < TAPS; ++t) {
        if (i + t >= TAPS / 2 && i + t - TAPS / 2 < n) wanted += taps[t] * x[i + t - TAPS / 2];
      }
      good = good && std::fabs(wanted - y[i]) < 1e-4f;
    }
  }
  int back[3];
  cudaMemcpyFromSymbol(back, counters, sizeof back);
  std::printf("%s\n%d %d %d\n", good ? "both filters agree" : "filters differ", back[0], back[1], back[2]);
  cudaFree(d_x);
  cudaFree(d_y);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
