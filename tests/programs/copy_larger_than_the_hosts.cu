// The count is that of the device's array, and the host's is smaller.
// expects: crashed
// expects: says The copy reads 67108864 bytes of the host's memory, and fewer are there
#include <cstdio>

int main() {
  const size_t bytes = 64 << 20;
  float host[100] = {}, *device;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);  // ends here
  cudaFree(device);
}
