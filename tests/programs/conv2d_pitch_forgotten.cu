// expects: exited 1
// expects: launches 1
// expects: explains in has a pitch of 512 bytes (line 23), which the launch at line 27 does not pass
// expects: prints wrong
// The rows are allocated with a pitch, but the kernel takes the width for the distance between them: it reads padding
// that nothing has written.
#include <cstdio>
#include <vector>

__global__ void sharpen(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  out[at] = 5 * in[at] - in[at - 1] - in[at + 1] - in[at - width] - in[at + width];  // finds: uninitialized
}

int main() {
  const int width = 60, height = 33;
  std::vector<float> picture(width * height), got(width * height, 0.0f);
  for (int i = 0; i < width * height; ++i) picture[i] = i % 7 * 0.5f;
  float *in, *out;
  size_t pitch;
  cudaMallocPitch((void**)&in, &pitch, width * sizeof(float), height);
  cudaMallocPitch((void**)&out, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(in, pitch, picture.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  cudaMemset2D(out, pitch, 0, width * sizeof(float), height);
  sharpen<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height);
  cudaMemcpy2D(got.data(), width * sizeof(float), out, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 1; x < width - 1; ++x) {
      int at = y * width + x;
      float wanted = 5 * picture[at] - picture[at - 1] - picture[at + 1] - picture[at - width] - picture[at + width];
      wrong += got[at] != wanted;
    }
  }
  cudaFree(in);
  cudaFree(out);
  printf("%s\n", wrong ? "wrong" : "right");
  return wrong ? 1 : 0;
}
