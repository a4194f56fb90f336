// expects: exited 0
// expects: launches 1
// expects: explains it takes the weights of conv_cpu flipped along all axes
// A correlation where the program's own function computes a convolution: all taps but the middle one differ.
#include <cstdio>
#include <cmath>
#include <vector>
#define R 2
#define D (2 * R + 1)
__constant__ float F[D][D];
__global__ void conv(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int j = 0; j < D; ++j) for (int i = 0; i < D; ++i) {
    int yy = y - R + j, xx = x - R + i;
    if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += F[D - 1 - j][D - 1 - i] * in[yy * w + xx];
  }
  out[y * w + x] = s;  // finds: wrong-result
}
void conv_cpu(const float* in, const float* f, float* out, int w, int h) {
  for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) {
    float s = 0;
    for (int j = 0; j < D; ++j) for (int i = 0; i < D; ++i) {
      int yy = y - R + j, xx = x - R + i;
      if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += f[j * D + i] * in[yy * w + xx];
    }
    out[y * w + x] = s;
  }
}
int main() {
  const int w = 80, h = 60, n = w * h;
  std::vector<float> in(n), out(n), ref(n), f(D * D);
  for (int i = 0; i < n; ++i) in[i] = (i * 31) % 17;
  for (int i = 0; i < D * D; ++i) f[i] = 0.01f * (i + 1);
  float *a, *b;
  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
  cudaMemcpy(a, in.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(F, f.data(), D * D * 4);
  conv<<<dim3(5, 4), dim3(16, 16)>>>(a, b, w, h);
  cudaMemcpy(out.data(), b, n * 4, cudaMemcpyDeviceToHost);
  conv_cpu(in.data(), f.data(), ref.data(), w, h);
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(out[i] - ref[i]));
  printf("max error %g: %s\n", worst, worst < 1e-3 ? "PASS" : "FAIL");
  cudaFree(a); cudaFree(b);
}
