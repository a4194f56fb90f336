/* haloscope
title: 3D 7-point sweep, planes by bulk copies
book: beyond the book; extends section 8.5
idea: The rows of a plane's tile come as whole rows, one bulk copy each, and their bytes arrive at a barrier for each plane; no thread computes addresses of single vectors.
extends: beyond/3d_7_async
order: 28
compute_capability: 9.0
sizes:
  N: {default: 48, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: threads per block along y}
  PLANES: {default: 12, min: 1, max: 128, meaning: planes per block}
  STAGES: {default: 3, min: 2, max: 8, meaning: tiles in shared memory}
precision: {macro: REAL, types: [float, double]}
requires: [16 * STAGES * (BLOCK_Y + 2) * (BLOCK_X + 2) + 8 * STAGES <= 49152]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / BLOCK_Y), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 208 / sizeof(REAL) * BLOCK_X * BLOCK_Y * PLANES / (16 * (PLANES + 2) * (BLOCK_X + 2) * (BLOCK_Y + 2))
*/
#include <cuda/ptx>

#ifndef REAL
#define REAL float
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef PLANES
#define PLANES 12
#endif
#ifndef STAGES
#define STAGES 3
#endif
#define WIDTH int(16 / sizeof(REAL))  // values in a vector
// The tile has a halo of one row above and below, and of one vector on each side.
#define ROW (WIDTH * (BLOCK_X + 2))

namespace ptx = cuda::ptx;

__constant__ REAL c[7];

// A vector has 16 bytes: four values in float, two in double.
__device__ void get(const float* from, float* v) {
  float4 four = *reinterpret_cast<const float4*>(from);
  v[0] = four.x;
  v[1] = four.y;
  v[2] = four.z;
  v[3] = four.w;
}
__device__ void get(const double* from, double* v) {
  double2 two = *reinterpret_cast<const double2*>(from);
  v[0] = two.x;
  v[1] = two.y;
}
__device__ void put(float* to, const float* v) {
  *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}
__device__ void put(double* to, const double* v) {
  *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]);
}

// Has the rows of plane i copied that are in the grid, each by one thread.
__device__ void fetch(const REAL* in, int N, int i, REAL (*tile)[ROW], uint64_t* arrived) {
  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  int top = blockIdx.y * BLOCK_Y - 1;
  int left = WIDTH * (blockIdx.x * BLOCK_X - 1);
  int begin = max(left, 0);
  unsigned bytes = (min(left + ROW, N) - begin) * sizeof(REAL);
  if (thread == 0) {
    int rows = min(top + BLOCK_Y + 2, N) - max(top, 0);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived, rows * bytes);
  }
  int j = top + thread;
  if (thread < BLOCK_Y + 2 && j >= 0 && j < N) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, &tile[thread][begin - left],
                       in + (i * N + j) * N + begin, bytes, arrived);
  }
}

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ __align__(16) REAL tile_s[STAGES][BLOCK_Y + 2][ROW];
  __shared__ uint64_t arrived_s[STAGES];
  int x = WIDTH * (threadIdx.x + 1);  // in the tile
  int y = threadIdx.y + 1;
  int k = WIDTH * (blockIdx.x * BLOCK_X + threadIdx.x);
  int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);

  if (N % WIDTH == 0) {
    if (threadIdx.x == 0 && threadIdx.y == 0) {
      for (int s = 0; s < STAGES; ++s) { ptx::mbarrier_init(&arrived_s[s], 1); }
      ptx::fence_proxy_async();
    }
    __syncthreads();
    for (int p = begin - 1; p < min(begin + STAGES - 2, end + 1); ++p) {
      fetch(in, N, p, tile_s[p - begin + 1], &arrived_s[p - begin + 1]);
    }
    REAL before[WIDTH], part[WIDTH];  // the point before; the sum of all terms but the one behind
    for (int v = 0; v < WIDTH; ++v) {
      before[v] = 0;
      part[v] = 0;
    }
    for (int p = begin - 1; p <= end; ++p) {
      int slot = (p - begin + 1) % STAGES;
      while (!ptx::mbarrier_try_wait_parity(&arrived_s[slot], (p - begin + 1) / STAGES % 2)) {}
      int ahead = p + STAGES - 1;  // in the slot of plane p - 1, which all threads have read
      if (ahead <= end) {
        int next = (ahead - begin + 1) % STAGES;
        fetch(in, N, ahead, tile_s[next], &arrived_s[next]);
      }
      if (j >= 1 && j < N - 1 && k < N) {
        REAL(*tile)[ROW] = tile_s[slot];
        REAL here[WIDTH], above[WIDTH], below[WIDTH], result[WIDTH];
        get(&tile[y][x], here);
        if (p > begin) {
          for (int v = 0; v < WIDTH; ++v) { result[v] = part[v] + c[6] * here[v]; }
          REAL* to = out + ((p - 1) * N + j) * N + k;
          if (k > 0 && k + WIDTH < N) {
            put(to, result);
          } else {
            for (int v = 0; v < WIDTH; ++v) {
              if (k + v >= 1 && k + v < N - 1) { to[v] = result[v]; }
            }
          }
        }
        if (p >= begin && p < end) {
          get(&tile[y - 1][x], above);
          get(&tile[y + 1][x], below);
          for (int v = 0; v < WIDTH; ++v) {
            REAL left = v > 0 ? here[v - 1] : tile[y][x - 1];
            REAL right = v < WIDTH - 1 ? here[v + 1] : tile[y][x + WIDTH];
            part[v] = c[0] * here[v] + c[1] * left + c[2] * right + c[3] * above[v] + c[4] * below[v] + c[5] * before[v];
          }
        }
        for (int v = 0; v < WIDTH; ++v) { before[v] = here[v]; }
      }
      __syncthreads();
    }
  } else if (j >= 1 && j < N - 1) {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int column = max(k, 1); column < min(k + WIDTH, N - 1); ++column) {
        const REAL* at = in + (i * N + j) * N + column;
        out[(i * N + j) * N + column] = c[0] * at[0] + c[1] * at[-1] + c[2] * at[1] + c[3] * at[-N] + c[4] * at[N] +
                                        c[5] * at[-N * N] + c[6] * at[N * N];
      }
    }
  }
}
