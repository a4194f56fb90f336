// The edge of the block is a float, so that the division for the grid is exact and ceil rounds it up.
#include <cmath>
#include <cstdlib>

__global__ void convolve(int* image, int* mask, int* result, int maskWidth, int w, int h) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < w && row < h) {
    int sum = 0;
    for (int j = 0; j < maskWidth; j++) {
      for (int k = 0; k < maskWidth; k++) {
        int r = row - maskWidth / 2 + j;
        int c = col - maskWidth / 2 + k;
        if (r > -1 && r < h && c > -1 && c < w) sum += image[r * w + c] * mask[j * maskWidth + k];
      }
    }
    result[row * w + col] = sum;
  }
}

int main() {
  float edge = 4;
  int h = 11, w = 9, maskWidth = 3;
  int *d_image, *d_mask, *d_result;
  cudaMalloc(&d_image, sizeof(int) * h * w);
  cudaMalloc(&d_mask, sizeof(int) * maskWidth * maskWidth);
  cudaMalloc(&d_result, sizeof(int) * h * w);
  dim3 block(edge, edge, 1);
  dim3 grid(ceil(w / edge), ceil(h / edge), 1);
  convolve<<<grid, block>>>(d_image, d_mask, d_result, maskWidth, w, h);
  cudaDeviceSynchronize();
  return 0;
}
// expects: convolve matches
