/* haloscope
title: 3D 7-point sweep, tiles by tensor copies
book: beyond the book; extends section 8.5
idea: One thread asks for the whole tile of a plane, halo included, with one tensor copy; what is outside of the grid arrives as zeros, so that no copy depends on where the grid ends.
extends: beyond/3d_7_bulk
order: 29
compute_capability: 9.0
sizes:
  N: {default: 48, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: threads per block along y}
  PLANES: {default: 12, min: 1, max: 128, meaning: planes per block}
  STAGES: {default: 3, min: 2, max: 8, meaning: tiles in shared memory}
precision: {macro: REAL, types: [float, double]}
requires: [128 * STAGES * ceil((BLOCK_Y + 2) * (BLOCK_X + 2) / 8) + 8 * STAGES <= 49152, 16 / sizeof(REAL) * (BLOCK_X + 2) <= 256]
arrays:
  in: {shape: [N, N, N], tensor_map: map, box: [1, BLOCK_Y + 2, 16 / sizeof(REAL) * (BLOCK_X + 2)]}
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
#include <cuda.h>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes the barriers

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
#define TILE ((BLOCK_Y + 2) * ROW)
// Tiles begin at multiples of 128 bytes.
#define SLOT ((TILE * int(sizeof(REAL)) + 127) / 128 * 128 / int(sizeof(REAL)))

namespace cde = cuda::device::experimental;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

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

// Has the tile of plane i copied, by one thread.
__device__ void fetch(const CUtensorMap* map, int i, REAL* tile, Barrier& arrived) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    cde::cp_async_bulk_tensor_3d_global_to_shared(tile, map, WIDTH * (int(blockIdx.x * BLOCK_X) - 1),
                                                  int(blockIdx.y * BLOCK_Y) - 1, i, arrived);
    static_cast<void>(cuda::device::barrier_arrive_tx(arrived, 1, TILE * sizeof(REAL)));
  }
}

__global__ void stencil(const __grid_constant__ CUtensorMap map, const REAL* in, REAL* out, int N) {
  __shared__ __align__(128) REAL tile_s[STAGES][SLOT];
  __shared__ Barrier arrived_s[STAGES];
  int x = WIDTH * (threadIdx.x + 1);  // in the tile
  int y = threadIdx.y + 1;
  int k = WIDTH * (blockIdx.x * BLOCK_X + threadIdx.x);
  int j = blockIdx.y * BLOCK_Y + threadIdx.y;
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);

  if (N % WIDTH == 0) {
    if (threadIdx.x == 0 && threadIdx.y == 0) {
      for (int s = 0; s < STAGES; ++s) { init(&arrived_s[s], 1); }
      cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int p = begin - 1; p < min(begin + STAGES - 2, end + 1); ++p) {
      fetch(&map, p, tile_s[p - begin + 1], arrived_s[p - begin + 1]);
    }
    REAL before[WIDTH], part[WIDTH];  // the point before; the sum of all terms but the one behind
    for (int v = 0; v < WIDTH; ++v) {
      before[v] = 0;
      part[v] = 0;
    }
    for (int p = begin - 1; p <= end; ++p) {
      int slot = (p - begin + 1) % STAGES;
      arrived_s[slot].wait_parity((p - begin + 1) / STAGES % 2);
      int ahead = p + STAGES - 1;  // in the slot of plane p - 1, which all threads have read
      if (ahead <= end) {
        int next = (ahead - begin + 1) % STAGES;
        fetch(&map, ahead, tile_s[next], arrived_s[next]);
      }
      if (j >= 1 && j < N - 1 && k < N) {
        const REAL* at = tile_s[slot] + y * ROW + x;
        REAL here[WIDTH], above[WIDTH], below[WIDTH], result[WIDTH];
        get(at, here);
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
          get(at - ROW, above);
          get(at + ROW, below);
          for (int v = 0; v < WIDTH; ++v) {
            REAL left = v > 0 ? here[v - 1] : at[-1];
            REAL right = v < WIDTH - 1 ? here[v + 1] : at[WIDTH];
            part[v] = c[0] * here[v] + c[1] * left + c[2] * right + c[3] * above[v] + c[4] * below[v] + c[5] * before[v];
          }
        }
        for (int v = 0; v < WIDTH; ++v) { before[v] = here[v]; }
      }
      __syncthreads();
    }
  } else if (j >= 1 && j < N - 1) {  // rows do not begin at multiples of 16 bytes: there is no map
    for (int i = begin; i < end; ++i) {
      for (int column = max(k, 1); column < min(k + WIDTH, N - 1); ++column) {
        const REAL* at = in + (i * N + j) * N + column;
        out[(i * N + j) * N + column] = c[0] * at[0] + c[1] * at[-1] + c[2] * at[1] + c[3] * at[-N] + c[4] * at[N] +
                                        c[5] * at[-N * N] + c[6] * at[N * N];
      }
    }
  }
}
