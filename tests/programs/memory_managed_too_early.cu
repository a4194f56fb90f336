// expects: exited 0
// expects: launches 2
#include <cstdio>

__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i, out[i] = 0;
  blur<<<2, 128>>>(in, out, n);
  printf("out[10] = %g\n", out[10]);  // finds: missing-synchronization
  cudaDeviceSynchronize();
  printf("out[10] = %g\n", out[10]);
  blur<<<2, 128>>>(out, in, n);
  out[0] = 1;  // finds: missing-synchronization
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
