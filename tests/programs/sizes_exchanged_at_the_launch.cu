// expects: exited 0
// expects: launches 1
// The grid fits, and the launch passes the height as the width.
// expects: explains 5×9 blocks reach them all, or this grid does if w and h are swapped in the launch
#include <vector>

constexpr int kWidth = 70, kHeight = 53;

__global__ void blurred(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) { return; }
  const int i = y * w + x;
  const bool inner = x > 0 && x < w - 1 && y > 0 && y < h - 1;
  out[i] = inner ? 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]) : in[i];  // finds: unwritten-output
}

int main() {
  std::vector<float> in(kWidth * kHeight), out(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) { in[i] = (i * 29 % 53) * 0.1f; }
  float *a, *b;
  cudaMalloc(&a, in.size() * sizeof(float));
  cudaMalloc(&b, in.size() * sizeof(float));
  cudaMemcpy(a, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 8), grid((kWidth + 15) / 16, (kHeight + 7) / 8);
  blurred<<<grid, block>>>(a, b, kHeight, kWidth);
  cudaMemcpy(out.data(), b, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}
