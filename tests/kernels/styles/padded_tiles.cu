// Tiles with a padded row, and pointers into them; two buffers that take turns.
#define TILE 16
__global__ void padded(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[TILE][TILE + 1];
  __shared__ float buffers[2][TILE * TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  tile[ty][tx] = (x < n && y < n) ? __ldg(&in[y * n + x]) : 0.0f;
  __syncthreads();
  float* row = tile[tx];
  float* mine = &buffers[0][ty * TILE + tx];
  *mine = row[ty];
  mine[TILE * TILE] = *(row + ty) * 2.0f;
  __syncthreads();
  int current = 0;
  for (int turn = 0; turn < 3; ++turn) {
    float* from = buffers[current];
    float* to = buffers[current ^ 1];
    const int next = tx + 1 < TILE ? tx + 1 : tx;
    to[ty * TILE + tx] = 0.5f * (from[ty * TILE + tx] + from[ty * TILE + next]);
    __syncthreads();
    current ^= 1;
  }
  float* p = buffers[current] + ty * TILE;
  float sum = 0.0f;
  for (float* end = p + TILE; p != end; ++p) sum += *p;
  if (x < n && y < n) out[y * n + x] = sum + tile[tx][ty];
}
int main() {
  int n = 24;
  float *a, *b;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  padded<<<dim3(2, 2), dim3(TILE, TILE)>>>(a, b, n);
}
// expects: padded clean 576
