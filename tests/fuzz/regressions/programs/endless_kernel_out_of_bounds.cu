// Transposes through a padded tile: not a stencil, but on every exercise sheet.
constexpr int TILE = 16, ROWS = 4;
__global__ void transpose(float* __restrict__ odata, const float* __restrict__ idata, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0x7fffffffffffffff; true; j += ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main() {
  const int n = 64;
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float)); cudaMalloc(&b, n * n * sizeof(float));
  dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
  transpose<<<grid, block>>>(b, a, n);
}
// expects: transpose clean 4000
