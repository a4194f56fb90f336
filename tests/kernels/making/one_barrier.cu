#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ float c[7];

__global__ void stencil(const float* in, float* out, int N) {
  __shared__ float in_s[2][IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 1;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1;
  bool computes = inOutTile && j >= 1 && j < N - 1 && k >= 1 && k < N - 1;

  float prev = 0.0f, curr = 0.0f, next = 0.0f;
  if (inGrid && iStart >= 1 && iStart - 1 < N) { prev = in[((iStart - 1) * N + j) * N + k]; }
  if (inGrid && iStart < N) { curr = in[(iStart * N + j) * N + k]; }

  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    in_s[i % 2][ty][tx] = curr;
    if (inGrid && i + 1 < N) { next = in[((i + 1) * N + j) * N + k]; }
    __syncthreads();
    if (computes && i >= 1 && i < N - 1) {
      out[(i * N + j) * N + k] = c[0] * curr
                               + c[1] * in_s[i % 2][ty][tx - 1]
                               + c[2] * in_s[i % 2][ty][tx + 1]
                               + c[3] * in_s[i % 2][ty - 1][tx]
                               + c[4] * in_s[i % 2][ty + 1][tx]
                               + c[5] * prev
                               + c[6] * next;
    }
    prev = curr;
    curr = next;
  }
}
