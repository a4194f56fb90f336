// Each managed array belongs to one stream; the host reads the one whose stream it has waited for.
#include <cstdio>
const int N = 700;
__global__ void twice(float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) x[i] *= 2;
}
int main() {
  float* array[2];
  cudaStream_t stream[2];
  for (int k = 0; k < 2; k++) {
    cudaStreamCreate(&stream[k]);
    cudaMallocManaged(&array[k], N * sizeof(float), cudaMemAttachHost);
    for (int i = 0; i < N; i++) array[k][i] = i * 3 % 13 + k;
    cudaStreamAttachMemAsync(stream[k], array[k]);
    cudaStreamSynchronize(stream[k]);
  }
  for (int k = 0; k < 2; k++) twice<<<6, 128, 0, stream[k]>>>(array[k]);
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    cudaStreamSynchronize(stream[k]);
    for (int i = 0; i < N; i++) sum += array[k][i];
  }
  printf("%g\n", sum);
  for (int k = 0; k < 2; k++) {
    cudaFree(array[k]);
    cudaStreamDestroy(stream[k]);
  }
}
