// expects: crashed
// expects: launches 0
// expects: says bytes of the host's memory, and fewer are there
// The copy reads 64 MiB of the host, of which there are 16 bytes.
#include <cstdio>
#include <vector>

int main() {
  const size_t n = size_t(1) << 24;
  std::vector<float> host(4);
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // ends here
  cudaFree(device);
}
