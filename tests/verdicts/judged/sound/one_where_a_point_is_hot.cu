// The result is right; the status is 1 because a point is above the limit, which is what the program is asked for.
#include <cstdio>

const int N = 256;

__global__ void smooth(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

int main() {
  float in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = (i * 31 % 97) * 0.1f;
  float *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(b, in, sizeof in, cudaMemcpyHostToDevice);
  smooth<<<2, 128>>>(a, b);
  cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  for (int i = 1; i < N - 1; i++)
    if (out[i] > 8.0f) {
      printf("point %d is too hot\n", i);
      return 1;
    }
  return 0;
}
