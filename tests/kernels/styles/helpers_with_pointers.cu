// Device functions that read and write through pointers, leave early and call each other.
struct Grid {
  int nx, ny;
  __device__ float at(const float* values, int x, int y) const {
    if (x < 0 || x >= nx) return 0.0f;
    if (y < 0 || y >= ny) return 0.0f;
    return values[y * nx + x];
  }
};
__device__ __forceinline__ int flat(int x, int y, int nx) { return y * nx + x; }
__device__ void load(float* tile, const float* in, int i, int n) {
  if (i >= n) {
    tile[threadIdx.x] = 0.0f;
    return;
  }
  tile[threadIdx.x] = in[i];
}
__device__ float sum3(const float* p, int stride) { return p[-stride] + *p + p[stride]; }
static __device__ void accumulate(float* sum, float value) {
  *sum += value;
  sum[0] -= 0.5f * value;
}
__device__ int search(const float* p, int n, float limit) {
  for (int k = 0; k < n; ++k) {
    if (p[k] > limit) return k;
  }
  return -1;
}
__global__ void structured(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[64];
  int x = threadIdx.x, y = blockIdx.x;
  load(tile, in + y * nx, x, nx);
  __syncthreads();
  Grid grid = {nx, ny};
  if (x >= nx) return;
  float sum = 0.0f;
  accumulate(&sum, grid.at(in, x, y - 1) + grid.at(in, x, y + 1));
  if (x > 0 && x < nx - 1) {
    accumulate(&sum, sum3(tile + x, 1));
  } else {
    accumulate(&sum, tile[x]);
  }
  out[flat(x, y, nx)] = sum + search(tile, min(nx, 4), 0.75f) + fmaxf(grid.at(in, x - 1, y), grid.at(in, x + 1, y));
}
int main() {
  int nx = 40, ny = 6;
  float *a, *b;
  cudaMalloc(&a, nx * ny * sizeof(float));
  cudaMalloc(&b, nx * ny * sizeof(float));
  structured<<<ny, 64>>>(a, b, nx, ny);
}
// expects: structured clean 240
