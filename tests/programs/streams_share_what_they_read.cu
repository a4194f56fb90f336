// expects: exited 0
// expects: launches 4
// expects: prints 2000 2000 1
// Streams that read the same array, add to the same sums with atomics, and write parts of their own: rows of a matrix,
// and the even and the odd elements of another array.
#include <cstdio>

__constant__ float factor;

__global__ void scaleRows(const float* in, float* out, int width, int firstRow, int rows, float* sum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = firstRow + blockIdx.y;
  if (x >= width || y >= firstRow + rows) return;
  out[y * width + x] = factor * in[y * width + x];
  atomicAdd(sum, in[y * width + x]);
}
__global__ void everyOther(const unsigned char* in, unsigned char* out, int first, int n) {
  int i = first + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[n - 1 - i];
}

int main() {
  const int width = 100, rows = 20, n = 1001;
  static float h[width * rows];
  for (float& one : h) one = 1;
  const float two = 2;
  float *in, *out, *sum;
  unsigned char *bytes, *turned;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&bytes, n);
  cudaMalloc(&turned, n);
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(bytes, 1, n);
  cudaDeviceSynchronize();
  for (int k = 0; k < 2; ++k) {
    scaleRows<<<dim3(1, rows / 2), 128, 0, s[k]>>>(in, out, width, k * rows / 2, rows / 2, sum);
    everyOther<<<2, 256, 0, s[k]>>>(bytes, turned, k, n);
  }
  for (auto one : s) cudaStreamSynchronize(one);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  static unsigned char last[n];
  cudaMemcpy(last, turned, n, cudaMemcpyDeviceToHost);
  float total = 0, added = 0;
  for (float one : h) total += one / 2;
  cudaMemcpy(&added, sum, sizeof added, cudaMemcpyDeviceToHost);
  printf("%g %g %d\n", total, added, last[3]);
  for (auto one : s) cudaStreamDestroy(one);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sum);
  cudaFree(bytes);
  cudaFree(turned);
}
