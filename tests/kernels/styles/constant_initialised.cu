__constant__ float sobel_x[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
__global__ void sobel(const unsigned char* image, unsigned char* edges, int cols, int rows) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < 1 || r < 1 || c >= cols - 1 || r >= rows - 1) return;
  float g = 0;
  for (int i = 0; i < 9; ++i) g += sobel_x[i] * image[(r + i / 3 - 1) * cols + c + i % 3 - 1];
  edges[r * cols + c] = (unsigned char)(fabsf(g) > 255.0f ? 255 : fabsf(g) + 1);
}
int main() {
  int cols = 64, rows = 40;
  dim3 block = dim3(16, 16);
  dim3 grid = {4, 3};
  unsigned char *a, *b;
  cudaMalloc(&a, cols * rows); cudaMalloc(&b, cols * rows);
  sobel<<<grid, block, 0, 0>>>(a, b, cols, rows);
}
// expects: sobel clean 1500
