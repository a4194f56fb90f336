// expects: exited 0
// expects: launches 1
// A class that frees in its destructor and is copied for a call: its memory is freed twice.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
struct DeviceVector {
  T* data = nullptr;
  int size = 0;
  explicit DeviceVector(int n) : size(n) { cudaMalloc(&data, n * sizeof(T)); }
  ~DeviceVector() { cudaFree(data); }  // finds: freed-twice
};

__global__ void smooth(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25 * in[i - 1] + 0.5 * in[i] + 0.25 * in[i + 1];
}

void step(DeviceVector<double> in, DeviceVector<double>& out) {
  smooth<<<(in.size + 127) / 128, 128>>>(in.data, out.data, in.size);
  cudaDeviceSynchronize();
}

int main() {
  const int n = 500;
  double values[n];
  for (int i = 0; i < n; ++i) values[i] = i % 7;
  DeviceVector<double> a(n), b(n);
  cudaMemcpy(a.data, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(b.data, values, sizeof values, cudaMemcpyHostToDevice);
  step(a, b);
  cudaMemcpy(values, b.data, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%f\n", values[1]);
}
