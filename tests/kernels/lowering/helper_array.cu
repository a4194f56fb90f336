// A shared tile passed on as a pointer to its rows, and as a reference.
__device__ void fill(float (*tile)[8], int row) {
  tile[row][threadIdx.x] = 1.0f;
  __syncthreads();
}
__device__ float corner(float (&tile)[4][8]) {
  return tile[3][7];
}

__global__ void kernel(float* out) {
  __shared__ float tile_s[4][8];
  for (int row = 0; row < 4; ++row) {
    fill(tile_s, row);
  }
  out[threadIdx.x] = corner(tile_s);
}
