// expects: rejected
// expects: launches 0
// expects: problem use of undeclared identifier 'd_ouput'
#include <cstdio>

__global__ void copy(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  float *d_in, *d_output;
  cudaMalloc(&d_in, 128);
  cudaMalloc(&d_output, 128);
  copy<<<1, 32>>>(d_in, d_ouput);  // ends here
  cudaFree(d_in);
  cudaFree(d_output);
}
