// expects: edges clean 5900
// launch: edges 4,8,1 32,8,1 0
// sizes: edges width=100 height=60
#include <cuda_runtime.h>

__global__ void edges(const int* image, int* result, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int left = x > 0 ? image[y * width + x - 1] : 0;
  int right = x + 1 < width ? image[y * width + x + 1] : 0;
  result[y * width + x] = abs(right - left) + 1;
}

template <typename T>
constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

int main() {
  int width{100};
  int height(60);
  auto div_up = [](int a, int b) -> int { return (a + b - 1) / b; };
  int *image, *result;
  cudaMalloc(&image, width * height * sizeof(int));
  cudaMalloc(&result, width * height * sizeof(int));
  dim3 block, grid;
  block.x = 32;
  block.y = 8;
  grid.x = div_up(width, block.x);
  grid.y = ceil_div<unsigned>(height, block.y);
  edges<<<grid, block>>>(image, result, width, height);
  cudaDeviceSynchronize();
}
