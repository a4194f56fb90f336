#ifndef STENCIL_HELPERS_H
#define STENCIL_HELPERS_H
__device__ inline float side(const float* in, int x, int y, int width, int height) {
  float sum = 0.0f;
  if (x > 0) sum += in[y * width + x - 1];
  if (x < width - 1) sum += in[y * width + x + 1];
  if (y > 0) sum += in[(y - 1) * width + x];
  if (y < height - 1) sum += in[(y + 1) * width + x];
  return (1.0f - CENTRE) / 4.0f * sum;
}
#endif
