// expects: exited 0
// expects: launches 2
// expects: prints interior correct
// The array has a halo of its own; the kernel is given a pointer behind it and reads in front of that pointer.
#include <cstdio>
#include <vector>

__global__ void stencil5(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 2] - 4 * in[i - 1] + 6 * in[i] - 4 * in[i + 1] + in[i + 2];
}

int main() {
  const int halo = 2, n = 500;
  std::vector<float> line(n + 2 * halo), result(n + 2 * halo, 0.0f);
  for (size_t i = 0; i < line.size(); ++i) line[i] = float(i % 9);
  float* buffer;
  cudaMalloc(&buffer, 2 * line.size() * sizeof(float));
  float* in = buffer;
  float* out = buffer + line.size();
  cudaMemcpy(in, line.data(), line.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, line.size() * sizeof(float));
  stencil5<<<2, 128>>>(in + halo, out + halo, n / 2);
  stencil5<<<2, 128>>>(in + halo + n / 2, out + halo + n / 2, n / 2);
  cudaMemcpy(result.data(), out, line.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = halo; i < n + halo; ++i)
    good = good && result[i] == line[i - 2] - 4 * line[i - 1] + 6 * line[i] - 4 * line[i + 1] + line[i + 2];
  printf("interior %s\n", good ? "correct" : "wrong");
  cudaFree(buffer);
  return !good;
}
