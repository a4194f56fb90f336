// Cells of the frame hold a number that no other cell has, and the kernel leaves them alone by it: on other data it
// would reach out of the array.
// expects: exited 0
// expects: launches 4
#include <cstdio>
#include <vector>
constexpr int BORDER = 66;

__global__ void life(const signed char* from, signed char* to, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h) return;
  if (from[i] == BORDER) {
    to[i] = BORDER;
    return;
  }
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx != 0 || dy != 0) && from[i + dy * w + dx] == 1) ++alive;
    }
  }
  to[i] = alive == 3 || (alive == 2 && from[i] == 1) ? 1 : 0;
}

int main() {
  const int w = 45, h = 31;
  std::vector<signed char> cells(w * h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const bool frame = x == 0 || y == 0 || x == w - 1 || y == h - 1;
      cells[y * w + x] = frame ? BORDER : (x * 7 + y * 3) % 5 == 0;
    }
  }
  signed char *a, *b;
  cudaMalloc(&a, w * h);
  cudaMalloc(&b, w * h);
  cudaMemcpy(a, cells.data(), w * h, cudaMemcpyHostToDevice);
  for (int step = 0; step < 4; ++step) {
    life<<<(w * h + 127) / 128, 128>>>(a, b, w, h);
    std::swap(a, b);
  }
  cudaMemcpy(cells.data(), a, w * h, cudaMemcpyDeviceToHost);
  int alive = 0;
  for (signed char one : cells) alive += one == 1;
  std::printf("%d\n", alive);
  cudaFree(a);
  cudaFree(b);
}
