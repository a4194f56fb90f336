// The count is larger than both arrays: refused before the host's memory is read.
// expects: exited 0
// expects: launches 0
// expects: prints 1
#include <cstdio>

int main() {
  float host[100] = {}, *device;
  cudaMalloc(&device, sizeof host);
  printf("%d\n", cudaMemcpy(device, host, sizeof host << 24, cudaMemcpyHostToDevice));  // finds: copy-size
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
}
