// expects: exited 0
// expects: launches 12
// A rod in two halves, each in its own stream; each waits for the last time step of the other one.
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
  cudaEvent_t done[2];
  for (int k = 0; k < 2; ++k) {
    cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done[k], cudaEventDisableTiming);
  }
  for (int t = 0; t < 6; ++t) {
    for (int k = 0; k < 2; ++k) cudaStreamWaitEvent(s[k], done[1 - k], 0);
    for (int k = 0; k < 2; ++k) heat<<<n / 512, 256, 0, s[k]>>>(a, b, k * n / 2, (k + 1) * n / 2, n);
    for (int k = 0; k < 2; ++k) cudaEventRecord(done[k], s[k]);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[n / 2]);
  for (int k = 0; k < 2; ++k) {
    cudaStreamDestroy(s[k]);
    cudaEventDestroy(done[k]);
  }
  cudaFree(a);
  cudaFree(b);
}
