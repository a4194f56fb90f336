// expects: exited 0
// expects: launches 1
// The input is copied in one stream, and the kernel that reads it is in another.
#include <cstdio>

__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
  else if (i < n) out[i] = in[i];
}

int main() {
  const int n = 1024;
  float *h, *a, *b;
  cudaHostAlloc(&h, n * sizeof(float), cudaHostAllocDefault);
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int i = 0; i < n; ++i) h[i] = i % 7;
  cudaStream_t copies, work;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&work);
  cudaMemcpyAsync(a, h, n * sizeof(float), cudaMemcpyHostToDevice, copies);
  blur<<<4, 256, 0, work>>>(a, b, n);  // finds: unordered
  cudaStreamSynchronize(work);
  cudaStreamSynchronize(copies);
  cudaMemcpy(h, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", h[3]);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(work);
  cudaFree(a);
  cudaFree(b);
  cudaFreeHost(h);
}
