// expects: exited 0
// expects: launches 8
// expects: prints max error 0
// One array in four parts, each copied, changed and copied back on its own stream: the first part has as many bytes as
// the array has elements.
#include <cmath>
#include <cstdio>

__global__ void kernel(float* a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i;
  a[i] = a[i] + sqrtf(x - x + 1.0f);
}

int main() {
  const int blockSize = 256, nStreams = 4, n = 4 * 256 * nStreams;
  const int streamSize = n / nStreams, streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
  float *a, *d_a;
  cudaMallocHost((void**)&a, bytes);
  cudaMalloc((void**)&d_a, bytes);
  cudaStream_t stream[nStreams];
  for (int i = 0; i < nStreams; ++i) cudaStreamCreate(&stream[i]);
  float error = 0;
  for (int version = 1; version <= 2; ++version) {
    for (int i = 0; i < n; ++i) a[i] = 0;
    if (version == 1) {
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]);
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
        cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]);
      }
    } else {
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]);
      }
      for (int i = 0; i < nStreams; ++i) {
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
      }
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]);
      }
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) error = fmaxf(error, fabsf(a[i] - 1.0f));
  }
  printf("max error %g\n", error);
  for (int i = 0; i < nStreams; ++i) cudaStreamDestroy(stream[i]);
  cudaFree(d_a);
  cudaFreeHost(a);
}
