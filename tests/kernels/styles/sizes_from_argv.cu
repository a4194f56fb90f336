// expects: average clean 11564
// launch: average 8,7,1 16,16,1 0
// sizes: average cols=120 rows=100
#include <cstdlib>
#include <iostream>
#include <string>

__global__ void average(const float* in, float* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r > 0 && c > 0 && r < rows - 1 && c < cols - 1) {
    out[r * cols + c] = (in[r * cols + c] + in[(r - 1) * cols + c] + in[(r + 1) * cols + c]) / 3;
  }
}

int main(int argc, char** argv) {
  if (argc > 3) {
    std::cerr << "usage: " << argv[0] << " [rows] [cols]\n";
    return 1;
  }
  int rows = argc > 1 ? std::atoi(argv[1]) : 100;
  int cols = 120;
  if (argc > 2) cols = std::stoi(argv[2]);
  const int tile = argc > 4 ? 1 << atoi(argv[4]) : 16;
  float *in, *out;
  cudaMalloc(&in, sizeof(float) * rows * cols);
  cudaMalloc(&out, sizeof(float) * rows * cols);
  dim3 block(tile, tile);
  dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  average<<<grid, block>>>(in, out, rows, cols);
  cudaDeviceSynchronize();
}
