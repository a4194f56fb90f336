// expects: exited 0
// expects: launches 1
#include <cstdio>
#include <vector>

__constant__ float taps[5];

__global__ void scale(float* a) { a[threadIdx.x] *= taps[0]; }

int main() {
  const int n = 128;
  std::vector<float> host(2 * n, 1.0f);
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);  // finds: copy-size
  cudaMemcpy(device + n / 2, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);    // finds: copy-size
  cudaMemset(device, 0, n * sizeof(double));                                             // finds: copy-size
  cudaMemcpyToSymbol(taps, host.data(), 9 * sizeof(float));                              // finds: copy-size
  cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(device);
  cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaFree(device);
}
