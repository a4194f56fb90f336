// expects: exited 0
// expects: launches 1
// Two pitched arrays of different types, and one pitch for both.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

__global__ void masked_mean(const float* in, const unsigned char* mask, float* out, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  int count = 0;
  for (int j = max(y - 1, 0); j <= min(y + 1, h - 1); j++)
    for (int i = max(x - 1, 0); i <= min(x + 1, w - 1); i++)
      if (mask[j * pitch + i]) {  // finds: out-of-bounds
        sum += ((const float*)((const char*)in + j * pitch))[i];
        count++;
      }
  ((float*)((char*)out + y * pitch))[x] = count ? sum / count : 0;
}

int main(void) {
  enum { w = 150, h = 20 };
  static float image[h][w];
  static unsigned char land[h][w];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      image[y][x] = (float)(x * y % 17);
      land[y][x] = (x + y) % 3 != 0;
    }
  float *in, *out;
  unsigned char* mask;
  size_t pitch, mask_pitch;
  cudaMallocPitch((void**)&in, &pitch, w * sizeof(float), h);
  cudaMallocPitch((void**)&out, &pitch, w * sizeof(float), h);
  cudaMallocPitch((void**)&mask, &mask_pitch, w, h);
  cudaMemcpy2D(in, pitch, image, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  cudaMemcpy2D(mask, mask_pitch, land, w, w, h, cudaMemcpyHostToDevice);
  masked_mean<<<dim3(5, 5), dim3(32, 4)>>>(in, mask, out, pitch, w, h);
  cudaMemcpy2D(image, w * sizeof(float), out, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  printf("%zu %zu %f\n", pitch, mask_pitch, image[0][1]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(mask);
  return 0;
}
