// expects: exited 0
// expects: launches 1
// The width of the copy is a number of elements: three quarters of each row are not copied, which the kernel reads.
#include <cstdio>
#include <vector>
__global__ void blur(const float* in, float* out, int w, int h, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int p = pitch / sizeof(float);
  out[y * p + x] = 0.2f * (in[y * p + x] + in[y * p + x - 1] + in[y * p + x + 1] + in[(y - 1) * p + x] + in[(y + 1) * p + x]);
}
int main() {
  const int w = 100, h = 60, n = w * h;
  std::vector<float> f(n), r(n);
  for (int i = 0; i < n; ++i) f[i] = i % 19;
  float *a, *b;
  size_t pitch;
  cudaMallocPitch(&a, &pitch, w * sizeof(float), h);
  cudaMallocPitch(&b, &pitch, w * sizeof(float), h);
  cudaMemset2D(b, pitch, 0, w * sizeof(float), h);
  cudaMemcpy2D(a, pitch, f.data(), w * sizeof(float), w, h, cudaMemcpyHostToDevice);  // finds: elements-as-bytes
  blur<<<dim3(7, 4), dim3(16, 16)>>>(a, b, w, h, pitch);
  cudaMemcpy2D(r.data(), w * sizeof(float), b, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  printf("%f\n", r[500]);
  cudaFree(a);
  cudaFree(b);
}
