// expects: exited 0
// expects: launches 1
// Several time steps in one tile; the barrier between writing the new values and the next step is missing.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <int B, int STEPS>
__global__ void heat(const float* in, float* out, int n, float k) {
  __shared__ float u[2][B];
  const int t = threadIdx.x;
  const int i = blockIdx.x * (B - 2 * STEPS) + t - STEPS;
  u[0][t] = i >= 0 && i < n ? in[i] : 0.0f;
  __syncthreads();
  int now = 0;
  for (int s = 0; s < STEPS; ++s) {
    const bool inner = t > 0 && t < B - 1 && i > 0 && i < n - 1;
    u[1 - now][t] = inner ? u[now][t] + k * (u[now][t - 1] - 2 * u[now][t] + u[now][t + 1]) : u[now][t];  // finds: race-shared
    now = 1 - now;
  }
  if (t >= STEPS && t < B - STEPS && i < n) out[i] = u[now][t];
}

int main() {
  const int n = 1000;
  constexpr int B = 128, STEPS = 4;
  std::vector<float> rod(n, 0.0f);
  rod[n / 2] = 100.0f;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  heat<B, STEPS><<<(n + B - 2 * STEPS - 1) / (B - 2 * STEPS), B>>>(a, b, n, 0.2f);
  cudaMemcpy(rod.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", rod[n / 2]);
  cudaFree(a);
  cudaFree(b);
}
