// expects: exited 0
// expects: launches 1
// A kernel reads the memory of another GPU, which it may not.
#include <cstdio>

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  float h[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = (float)i;
  int can = 0;
  cudaDeviceCanAccessPeer(&can, 1, 0);
  if (!can) return 1;
  cudaSetDevice(0);
  cudaMalloc(&in, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaSetDevice(1);
  cudaMalloc(&out, sizeof h);
  scale<<<1, n>>>(in, out, n);  // finds: wrong-device
  cudaMemcpyPeer(in, 0, out, 1, sizeof h);
  cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
