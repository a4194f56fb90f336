// expects: exited 0
// expects: launches 1
// Nothing allows the kernel 64 KiB of shared memory, and nothing asks whether the launch succeeded.
#include <cstdio>
#include <cstdlib>

__global__ void gather(const float* in, float* out, int perThread) {
  extern __shared__ float window[];
  for (int k = 0; k < perThread; ++k) window[k * blockDim.x + threadIdx.x] = in[k * blockDim.x + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < perThread; ++k) sum += window[threadIdx.x * perThread + k];
  out[threadIdx.x] = sum;
}

int main() {
  const int threads = 256, perThread = 64;
  const size_t bytes = threads * perThread * sizeof(float);
  float *h = (float*)calloc(bytes, 1), *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, threads * sizeof(float));
  cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice);
  gather<<<1, threads, bytes>>>(in, out, perThread);  // finds: launch-limit unchecked-error // fails: 65536
  cudaMemcpy(h, out, threads * sizeof(float), cudaMemcpyDeviceToHost);
  printf("sum of the first: %g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
  free(h);
}
