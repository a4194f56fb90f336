// Launch bounds made of macros, before and after the type.
#define BLOCK_W 32
#define BLOCK_H 4
#define MAX_THREADS (BLOCK_W * BLOCK_H)
#define MIN_BLOCKS 2
#define PRODUCT(a, b) ((a) * (b))
__global__ void __launch_bounds__(MAX_THREADS, 2) first(const float* in, float* out, int n) {
  int x = blockIdx.x * BLOCK_W + threadIdx.x, y = blockIdx.y * BLOCK_H + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = 2.0f * in[y * n + x];
}
__global__ __launch_bounds__(PRODUCT(BLOCK_W, BLOCK_H), MIN_BLOCKS) void second(const float* in, float* out, int n) {
  __shared__ __align__(4 * sizeof(float)) float tile[BLOCK_H][BLOCK_W];
  int x = blockIdx.x * BLOCK_W + threadIdx.x, y = blockIdx.y * BLOCK_H + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < n && y < n ? in[y * n + x] : 0.0f;
  __syncthreads();
  if (x < n && y < n) out[y * n + x] = 3.0f * tile[threadIdx.y][threadIdx.x];
}
#define KERNEL(name) __global__ void __launch_bounds__(MAX_THREADS) name
KERNEL(third)(const float* in, float* out, int n) {
  int x = blockIdx.x * BLOCK_W + threadIdx.x, y = blockIdx.y * BLOCK_H + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = in[y * n + x] + 1.0f;
}
int main() {
  int n = 40;
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  dim3 block(BLOCK_W, BLOCK_H), grid(2, 10);
  first<<<grid, block>>>(a, b, n);
  second<<<grid, block>>>(a, b, n);
  third<<<grid, block>>>(a, b, n);
}
// expects: first clean 1600
// expects: second clean 1600
// expects: third clean 1600
