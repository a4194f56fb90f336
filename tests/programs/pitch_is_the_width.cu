// expects: exited 0
// expects: launches 2
// expects: explains dIn has a pitch of 1024 bytes (line 29); the launch at line 34 passes 600 for inPitch
// expects: explains dOut has a pitch of 1024 bytes (line 30); the launch at line 35 passes 150 for pitch instead of 256 elements
// The length of a row is passed where the pitch of its array is meant: in bytes, and in elements.
#include <cstdio>
#include <vector>

__global__ void sobel(const float* in, size_t inPitch, float* out, size_t outPitch, int w, int h) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const float* up = (const float*)((const char*)in + (y - 1) * inPitch);
  const float* down = (const float*)((const char*)in + (y + 1) * inPitch);
  float gy = down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];  // finds: uninitialized
  ((float*)((char*)out + y * outPitch))[x] = gy * gy;
}
__global__ void scale(const float* in, int pitch, float* out, int w, int h) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = 2 * in[y * pitch + x];  // finds: uninitialized
}

int main() {
  const int w = 150, h = 70;
  const size_t row = w * sizeof(float);
  std::vector<float> image(w * h), edges(w * h, 0.0f);
  for (int i = 0; i < w * h; ++i) image[i] = i % 7 * 0.5f;
  float *dIn, *dOut, *dense;
  size_t inPitch, outPitch;
  cudaMallocPitch(&dIn, &inPitch, row, h);
  cudaMallocPitch(&dOut, &outPitch, row, h);
  cudaMalloc(&dense, row * h);
  cudaMemset2D(dOut, outPitch, 0, row, h);
  cudaMemcpy2D(dIn, inPitch, image.data(), row, row, h, cudaMemcpyHostToDevice);
  sobel<<<dim3(5, 9), dim3(32, 8)>>>(dIn, row, dOut, outPitch, w, h);
  scale<<<dim3(5, 9), dim3(32, 8)>>>(dOut, w, dense, w, h);
  cudaMemcpy(edges.data(), dense, row * h, cudaMemcpyDeviceToHost);
  printf("%f\n", edges[200]);
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dense);
}
