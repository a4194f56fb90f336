// expects: exited 0
// expects: launches 1
// The kernel reads in front of its pointer, and the host forgets to pass one behind the halo.
#include <cstdio>
#include <vector>

__global__ void stencil5(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 2] - 4 * in[i - 1] + 6 * in[i] - 4 * in[i + 1] + in[i + 2];  // finds: out-of-bounds
}

int main() {
  const int halo = 2, n = 500;
  std::vector<float> line(n + 2 * halo, 1.0f);
  float *in, *out;
  cudaMalloc(&in, line.size() * sizeof(float));
  cudaMalloc(&out, line.size() * sizeof(float));
  cudaMemcpy(in, line.data(), line.size() * sizeof(float), cudaMemcpyHostToDevice);
  stencil5<<<4, 128>>>(in, out, n);
  cudaMemcpy(line.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", line[5]);
  cudaFree(in);
  cudaFree(out);
}
