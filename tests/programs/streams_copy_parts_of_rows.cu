// expects: exited 0
// expects: launches 2
// Each stream copies the columns of a matrix that it works on, and one more that the other one only reads, too.
#include <cstdio>

__global__ void smooth(const float* in, size_t pitch, float* out, int width, int height, int first, int count) {
  int x = first + threadIdx.x, y = blockIdx.x;
  if (threadIdx.x >= count) return;
  const float* row = (const float*)((const char*)in + y * pitch);
  out[y * width + x] = 0.5f * (row[x] + row[x < width - 1 ? x + 1 : x]);
}

int main() {
  const int width = 96, height = 20, half = width / 2;
  float *h, *in[2], *out;
  size_t pitch;
  cudaMallocHost(&h, width * height * sizeof(float));
  for (int k = 0; k < 2; ++k) cudaMallocPitch(&in[k], &pitch, width * sizeof(float), height);
  cudaMalloc(&out, width * height * sizeof(float));
  for (int i = 0; i < width * height; ++i) h[i] = i % 10;
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  for (int k = 0; k < 2; ++k) {
    const int count = k == 0 ? half + 1 : half;
    cudaMemcpy2DAsync(in[k] + k * half, pitch, h + k * half, width * sizeof(float), count * sizeof(float), height,
                      cudaMemcpyHostToDevice, s[k]);
    smooth<<<height, 64, 0, s[k]>>>(in[k], pitch, out, width, height, k * half, half);
  }
  for (auto one : s) cudaStreamSynchronize(one);
  for (int k = 0; k < 2; ++k) {
    cudaMemcpy2DAsync(h + k * half, width * sizeof(float), out + k * half, width * sizeof(float), half * sizeof(float),
                      height, cudaMemcpyDeviceToHost, s[k]);
  }
  cudaDeviceSynchronize();
  printf("%f\n", h[3]);
  for (auto one : s) cudaStreamDestroy(one);
  for (float* one : in) cudaFree(one);
  cudaFree(out);
  cudaFreeHost(h);
}
