#include <cuda_fp16.h>
#define RADIUS 2
// Values in half, the sum in float.
__global__ void conv_half(const __half* in, const __half* mask, __half* out, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width) return;
  float sum = 0.0f;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (i + k >= 0 && i + k < width) sum += __half2float(mask[k + RADIUS]) * __half2float(in[i + k]);
  out[i] = __float2half(sum);
}

// All of it in half.
__global__ void smooth(const half* in, half* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  half sum = __hadd(__hadd(in[at - 1], in[at + 1]), __hadd(in[at - width], in[at + width]));
  out[at] = __hfma(sum, __float2half(0.125f), __hmul(in[at], half(0.5f)));
}

int main() {
  int width = 1000;
  conv_half<<<(width + 127) / 128, 128>>>(0, 0, 0, width);
}
// expects: conv_half matches
// expects: smooth clean 2800
