// expects: exited 0
// expects: launches 8
// expects: prints 0 wrong
// What one stream computes the next one needs: an event orders them, forwards and backwards, without the host.
#include <cstdio>

__global__ void fill(float* a, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i % 5 + step;
}
__global__ void mean3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
  else if (i < n) out[i] = in[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
  cudaEvent_t filled, used;
  cudaEventCreate(&filled);
  cudaEventCreate(&used);
  for (int step = 0; step < 4; ++step) {
    cudaStreamWaitEvent(s1, used, 0);
    fill<<<4, 256, 0, s1>>>(a, n, step);
    cudaEventRecord(filled, s1);
    cudaStreamWaitEvent(s2, filled, 0);
    mean3<<<4, 256, 0, s2>>>(a, b, n);
    cudaEventRecord(used, s2);
  }
  cudaEventSynchronize(used);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 1; i < n - 1; ++i) wrong += h[i] != ((i - 1) % 5 + i % 5 + (i + 1) % 5 + 9) / 3.0f;
  printf("%d wrong\n", wrong);
  cudaEventDestroy(filled);
  cudaEventDestroy(used);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
  cudaFree(a);
  cudaFree(b);
}
