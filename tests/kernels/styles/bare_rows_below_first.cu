// Typed off a page: c3 belongs to the row below, c4 to the row above, as in the book's figure with registers.
__global__ void sweep(float* in, float* out, unsigned int N) {
  int first = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + threadIdx.y - 1;
  int k = blockIdx.x * OUT_TILE_DIM + threadIdx.x - 1;
  __shared__ float plane[IN_TILE_DIM][IN_TILE_DIM];
  const bool inside = j >= 0 && j < N && k >= 0 && k < N;
  float before = first >= 1 && first - 1 < N && inside ? in[((first - 1) * N + j) * N + k] : 0.0f;
  float here = first < N && inside ? in[(first * N + j) * N + k] : 0.0f;
  for (int i = first; i < first + OUT_TILE_DIM; ++i) {
    float after = i + 1 < N && inside ? in[((i + 1) * N + j) * N + k] : 0.0f;
    plane[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1 && threadIdx.y >= 1 &&
        threadIdx.y < IN_TILE_DIM - 1 && threadIdx.x >= 1 && threadIdx.x < IN_TILE_DIM - 1) {
      out[(i * N + j) * N + k] = c0 * here + c1 * plane[threadIdx.y][threadIdx.x - 1] +
                                 c2 * plane[threadIdx.y][threadIdx.x + 1] + c3 * plane[threadIdx.y + 1][threadIdx.x] +
                                 c4 * plane[threadIdx.y - 1][threadIdx.x] + c5 * before + c6 * after;
    }
    __syncthreads();
    before = here;
    here = after;
  }
}
// expects: sweep matches 5000
