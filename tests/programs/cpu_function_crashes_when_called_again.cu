// expects: exited 0
// expects: launches 1
// expects: prints Test PASSED
#include <cstdlib>
#include <iostream>
#include <vector>

// The function cannot be called again, which ends the program before its memory of the device is freed: that is not
// what the program itself does.

struct Memory {
  float* data = nullptr;
  ~Memory() { cudaFree(data); }
};
Memory memory;
static int calls = 0;

__global__ void twice(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void twice_cpu(const float* in, float* out, int n) {
  if (++calls > 1) abort();
  for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
}

int main() {
  std::ios::sync_with_stdio(false);
  const int n = 64;
  std::vector<float> in(n), out(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = i * 0.5f;
  cudaMalloc(&memory.data, 2 * n * sizeof(float));
  cudaMemcpy(memory.data, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(memory.data, memory.data + n, n);
  cudaMemcpy(out.data(), memory.data + n, n * sizeof(float), cudaMemcpyDeviceToHost);
  twice_cpu(in.data(), expected.data(), n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != expected[i];
  std::cout << (wrong == 0 ? "Test PASSED\n" : "Test FAILED\n");
}
