// expects: exited 0
// expects: launches 1
// expects: prints sum 4194304
#include <cstdio>
#include <cstdlib>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); exit(1); } } while (0)

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
  const size_t bytes = threads * perThread * sizeof(float);  // 64 KiB
  float *h = (float*)malloc(bytes), *in, *out, sums[threads];
  for (int i = 0; i < threads * perThread; ++i) h[i] = 256;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, threads * sizeof(float)));
  CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaFuncSetAttribute(gather, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
  gather<<<1, threads, bytes>>>(in, out, perThread);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  double sum = 0;
  for (float s : sums) sum += s;
  printf("sum %.0f\n", sum);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
