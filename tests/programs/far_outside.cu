// An access far from all memory ends the program; one a little outside its array does not.
// expects: exited 0
// expects: launches 3
// expects: prints near 0
// expects: prints far 700
// expects: prints later 700
#include <cstdio>

__global__ void shifted(float* out, const float* in, long long by) {
  out[threadIdx.x] = in[threadIdx.x + by];  // finds: out-of-bounds
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  shifted<<<1, 32>>>(out, in, 40);
  printf("near %d\n", cudaDeviceSynchronize());
  shifted<<<1, 32>>>(out, in, 1LL << 30);
  printf("far %d\n", cudaDeviceSynchronize());
  shifted<<<1, 32>>>(out, in, 0);  // fails: an earlier kernel failed
  printf("later %d\n", cudaGetLastError());
  cudaFree(in);
  cudaFree(out);
}
