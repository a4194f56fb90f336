// expects: exited 0
// expects: launches 1
// expects: prints 0 differ
// Arrays on the stack whose size is computed, with initialisers, as GCC takes them.
#include <cstdio>
#include <cstdlib>

__global__ void smooth(const float* in, const float* taps, float* out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    int at = i + k - width / 2;
    if (at >= 0 && at < n) sum += taps[k] * in[at];
  }
  out[i] = sum;
}

int main() {
  int n = 100, width = 5;
  float in[n], out[n], taps[width] = {0.1f, 0.2f, 0.4f,  // the middle
                                      0.25f, 0.05f};
  int counts[2][width] = {0}, zeros[width] = {};
  for (int i = 0; i < n; ++i) in[i] = (i * 37) % 101;
  float *d_in, *d_taps, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_taps, width * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_taps, taps, width * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<4, 32>>>(d_in, d_taps, d_out, n, width);
  cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < width; ++k) {
      int at = i + k - width / 2;
      if (at >= 0 && at < n) sum += taps[k] * in[at];
    }
    counts[0][0] += sum != out[i];
    counts[1][width - 1] += zeros[i % width];
  }
  printf("%d differ\n", counts[0][0] + counts[1][width - 1]);
  cudaFree(d_in); cudaFree(d_taps); cudaFree(d_out);
  return counts[0][0] != 0;
}
