// expects: exited 0
// expects: launches 1
// expects: prints edges agree
// A texture object over pitched memory, clamped at the border; the host computes the same gradient.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void sobel(cudaTextureObject_t image, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float p[3][3];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) p[j][i] = tex2D<float>(image, x + i - 1 + 0.5f, y + j - 1 + 0.5f);
  float gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
  float gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
  out[y * w + x] = sqrtf(gx * gx + gy * gy);
}

static float pixel(const float* in, int x, int y, int w, int h) {
  x = x < 0 ? 0 : x >= w ? w - 1 : x;
  y = y < 0 ? 0 : y >= h ? h - 1 : y;
  return in[y * w + x];
}

int main(void) {
  const int w = 45, h = 30;
  float *in = (float*)malloc(w * h * sizeof(float)), *out = (float*)malloc(w * h * sizeof(float));
  for (int i = 0; i < w * h; i++) in[i] = (float)((i * 31) % 47);
  float *linear, *result;
  size_t pitch;
  cudaMallocPitch(&linear, &pitch, w * sizeof(float), h);
  cudaMalloc(&result, w * h * sizeof(float));
  cudaMemcpy2D(linear, pitch, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  struct cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = linear;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = w;
  resource.res.pitch2D.height = h;
  resource.res.pitch2D.pitchInBytes = pitch;
  struct cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, NULL);
  sobel<<<dim3(3, 4), dim3(16, 8)>>>(texture, result, w, h);
  cudaMemcpy(out, result, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float gx = 0, gy = 0;
      for (int d = -1; d <= 1; d++) {
        int f = d == 0 ? 2 : 1;
        gx += f * (pixel(in, x + 1, y + d, w, h) - pixel(in, x - 1, y + d, w, h));
        gy += f * (pixel(in, x + d, y + 1, w, h) - pixel(in, x + d, y - 1, w, h));
      }
      wrong += fabsf(out[y * w + x] - sqrtf(gx * gx + gy * gy)) > 1e-3f;
    }
  printf(wrong ? "%d edges wrong\n" : "edges agree\n", wrong);
  cudaDestroyTextureObject(texture);
  cudaFree(linear);
  cudaFree(result);
  free(in);
  free(out);
  return wrong != 0;
}
