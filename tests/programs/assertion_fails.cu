// A failing assert() ends the launch, and every later call returns cudaErrorAssert.
// expects: exited 0
// expects: launches 2
// expects: prints 710 device-side assert triggered
// expects: prints 710 again
#include <assert.h>
#include <cstdio>

__global__ void scaled(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);  // finds: failed-assertion
  out[i] = 2.0f * in[i];
}

int main() {
  const int n = 100;
  float *in, *out, host[n] = {};
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<4, 32>>>(out, in, n);  // fails: assert(i < n) fails at 11:3 in thread (4,0,0) of block (3,0,0)
  cudaError_t error = cudaDeviceSynchronize();
  printf("%d %s\n", error, cudaGetErrorString(error));
  scaled<<<3, 32>>>(out, in, n);  // fails: an earlier kernel failed
  printf("%d again\n", cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(in);
  cudaFree(out);
}
