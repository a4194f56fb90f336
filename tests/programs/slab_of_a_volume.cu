// expects: exited 0
// expects: launches 1
// One plane of a volume of 2048 cubed, as in a computation by slabs: the index in the whole volume does not fit an int.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void dilate(const std::uint8_t* plane, std::uint8_t* out, std::size_t first, int nx, int ny, int z) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y >= ny) return;
  int i = (z * ny + y) * nx + x;  // finds: signed-overflow
  std::size_t at = i - first;
  out[at] = max(plane[at], max(plane[at - 1], plane[at + 1]));  // finds: out-of-bounds
}

int main() {
  const int nx = 2048, ny = 2048, z = 600;
  std::size_t bytes = std::size_t(nx) * ny;
  std::uint8_t *plane, *out;
  cudaMalloc(&plane, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(plane, 1, bytes);
  dilate<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(plane, out, bytes * z, nx, ny, z);
  cudaDeviceSynchronize();
  std::printf("%d\n", z);
  cudaFree(plane);
  cudaFree(out);
}
