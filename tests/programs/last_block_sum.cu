// expects: exited 0
// expects: launches 1
// expects: prints sum 4096
#include <cstdio>
#include <vector>

__device__ unsigned int finished = 0;

// The last block adds up what the others have left: the idiom of the programming guide.
__global__ void sum(const float* in, float* partial, float* out) {
  __shared__ float values[128];
  __shared__ bool last;
  int t = threadIdx.x;
  values[t] = in[blockIdx.x * blockDim.x + t];
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) values[t] += values[t + step];
  }
  if (t == 0) {
    partial[blockIdx.x] = values[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    float all = 0;
    for (int block = 0; block < gridDim.x; ++block) all += partial[block];
    *out = all;
    finished = 0;
  }
}

int main() {
  const int blocks = 32;
  std::vector<float> ones(blocks * 128, 1.0f);
  float *in, *partial, *out, result = 0;
  cudaMalloc(&in, ones.size() * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<blocks, 128>>>(in, partial, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("sum %g\n", result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
}
