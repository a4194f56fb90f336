// An opening: the largest neighbour of the smallest ones. The kernels have the same parameters and another purpose.
#include <cstdio>
#include <vector>

constexpr int kWidth = 70, kHeight = 45;

__global__ void smallest(const int* from, int* to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int found = from[y * width + x];
  if (x > 0) found = min(found, from[y * width + x - 1]);
  if (x < width - 1) found = min(found, from[y * width + x + 1]);
  to[y * width + x] = found;
}

__global__ void largest(const int* from, int* to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int found = from[y * width + x];
  if (x > 0) found = max(found, from[y * width + x - 1]);
  if (x < width - 1) found = max(found, from[y * width + x + 1]);
  to[y * width + x] = found;
}

int main() {
  std::vector<int> picture(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) picture[i] = (i * 37) % 256;
  int *one, *other;
  cudaMalloc(&one, picture.size() * sizeof(int));
  cudaMalloc(&other, picture.size() * sizeof(int));
  cudaMemcpy(one, picture.data(), picture.size() * sizeof(int), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((kWidth + 15) / 16, (kHeight + 15) / 16);
  smallest<<<grid, block>>>(one, other, kWidth, kHeight);
  largest<<<grid, block>>>(other, one, kWidth, kHeight);
  cudaMemcpy(picture.data(), one, picture.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int value : picture) sum += value;
  printf("sum %ld\n", sum);
  cudaFree(one);
  cudaFree(other);
}
