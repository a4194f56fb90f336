// expects: exited 0
// expects: launches 1
// The result is copied from the input: nothing is wrong for the device, and the host gets its own data back.
#include <iostream>
#include <vector>

__global__ void twice(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 64;
  std::vector<int> host(n, 0);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, n>>>(in, out, n);
  cudaMemcpy(host.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);  // finds: result-missing
  std::cout << host[3] << std::endl;
  cudaFree(in);
  cudaFree(out);
}
