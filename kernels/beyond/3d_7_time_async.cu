/* haloscope
title: 3D 7-point sweep, several steps at once, planes copied ahead
book: beyond the book; extends section 8.5
idea: The planes that come next are under way to shared memory, each thread's part to slots of its own, so that more of them can be than registers would hold. The planes of a step change their roles in an unrolled loop instead of being moved.
extends: beyond/3d_7_time_arrive
order: 63
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  STEPS: {default: 2, min: 1, max: 8, meaning: time steps per launch}
  COLUMNS: {default: 2, min: 2, max: 4, meaning: columns per thread}
  ROWS: {default: 4, min: 1, max: 6, meaning: rows per thread}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: warps per block}
  AHEAD: {default: 2, min: 1, max: 4, meaning: planes under way}
  PLANES: {default: 8, min: 1, max: 256, meaning: planes per block}
precision: {macro: REAL, types: [float, double]}
requires: [COLUMNS != 3, ROWS * BLOCK_Y > 2 * STEPS]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: ["max(1, ceil((N - 2 * COLUMNS * ceil(STEPS / COLUMNS)) / (32 * COLUMNS - 2 * COLUMNS * ceil(STEPS / COLUMNS))))", "max(1, ceil((N - 2 * STEPS) / (ROWS * BLOCK_Y - 2 * STEPS)))", ceil(N / PLANES)]
  block: [32, BLOCK_Y, 1]
  dynamic_shared_bytes: (192 * STEPS + 32 * AHEAD * ROWS) * BLOCK_Y * COLUMNS * sizeof(REAL)
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 13 * STEPS / sizeof(REAL)
*/
#include <cuda/barrier>
#include <cuda_pipeline.h>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes the barrier

#ifndef REAL
#define REAL float
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef PLANES
#define PLANES 8
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define HALO ((STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)  // of columns: a whole number of threads

__constant__ REAL c[7];

// Two or four neighbouring columns.
__device__ void get(const float* from, float* v) {
  if (COLUMNS == 4) {
    float4 four = *reinterpret_cast<const float4*>(from);
    v[0] = four.x;
    v[1] = four.y;
    v[2] = four.z;
    v[3] = four.w;
  } else {
    float2 two = *reinterpret_cast<const float2*>(from);
    v[0] = two.x;
    v[1] = two.y;
  }
}
__device__ void get(const double* from, double* v) {
  for (int n = 0; n < COLUMNS; n += 2) {
    double2 two = *reinterpret_cast<const double2*>(from + n);
    v[n] = two.x;
    v[n + 1] = two.y;
  }
}
__device__ void put(float* to, const float* v) {
  if (COLUMNS == 4) {
    *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
  } else {
    *reinterpret_cast<float2*>(to) = make_float2(v[0], v[1]);
  }
}
__device__ void put(double* to, const double* v) {
  for (int n = 0; n < COLUMNS; n += 2) { *reinterpret_cast<double2*>(to + n) = make_double2(v[n], v[n + 1]); }
}

// Begins to copy the thread's part of a plane, whose vectors are at these places; zeros beyond the grid. ALIGNED: rows
// begin at multiples of a vector.
template <bool ALIGNED>
__device__ void copy(const REAL* plane, int N, const int* at, int j, int k, REAL* to) {
  const int kBytes = COLUMNS * sizeof(REAL) > 16 ? 16 : COLUMNS * sizeof(REAL);  // at a time
  for (int r = 0; r < ROWS; ++r) {
    if (ALIGNED) {
      for (int n = 0; n < COLUMNS; n += kBytes / sizeof(REAL)) {
        __pipeline_memcpy_async(to + r * 32 * COLUMNS + n, plane + at[r] + n, kBytes);
      }
    } else {
#pragma unroll 1
      for (int n = 0; n < COLUMNS; ++n) {
        bool there = j + r < N && k + n < N;
        __pipeline_memcpy_async(to + r * 32 * COLUMNS + n, plane + (there ? at[r] - min(k, N - COLUMNS) + k + n : 0),
                                sizeof(REAL), there ? 0 : sizeof(REAL));
      }
    }
  }
}

// Stores a vector at its place in a plane, with the columns at the border of the grid, which keep their value: without
// them each of the others would be a request of its own.
template <bool ALIGNED>
__device__ void store(REAL* plane, int N, int at, int k, const REAL* result) {
  if (ALIGNED) {
    put(plane + at, result);
  } else {
    for (int v = 0; v < COLUMNS; ++v) {
      if (k + v < N) { plane[at - min(k, N - COLUMNS) + k + v] = result[v]; }
    }
  }
}

template <bool ALIGNED>
__device__ void march(const REAL* in, REAL* out, int N, REAL* edges_s,
                      cuda::barrier<cuda::thread_scope_block>& written) {
  const int kWarp = 2 * 32 * COLUMNS, kPlane = BLOCK_Y * kWarp;

  // Tiles begin at the border of the grid, which needs no halo, and overlap by two halos.
  int w = threadIdx.y;
  int x = COLUMNS * threadIdx.x;  // in the tile
  int k = blockIdx.x * (32 * COLUMNS - 2 * HALO) + x;
  int tile = blockIdx.y * (ROWS * BLOCK_Y - 2 * STEPS);  // its first row
  int j = tile + ROWS * w;
  int begin = blockIdx.z * PLANES;
  int end = min(begin + PLANES, N);
  REAL* mine = edges_s + w * kWarp + x;
  const REAL* above = edges_s + max(w - 1, 0) * kWarp + 32 * COLUMNS + x;
  const REAL* below = edges_s + min(w + 1, BLOCK_Y - 1) * kWarp + x;

  // No result depends on what is beyond the grid. Points at its border keep their value, and rows in a halo are stored
  // by the next tile, if there is one.
  int at[ROWS];
  unsigned keeps = 0, stores = 0;  // a bit for each point; for each row
  for (int r = 0; r < ROWS; ++r) {
    at[r] = min(j + r, N - 1) * N + min(k, N - COLUMNS);
    bool inner = (j + r >= tile + STEPS || tile == 0) &&
                 (j + r < tile + ROWS * BLOCK_Y - STEPS || tile + ROWS * BLOCK_Y >= N) &&
                 (x >= HALO || k < HALO) && (x < 32 * COLUMNS - HALO || k - x + 32 * COLUMNS >= N);
    if (inner && j + r >= 1 && j + r < N - 1 && k < N) { stores |= 1u << r; }
    for (int v = 0; v < COLUMNS; ++v) {
      if (j + r < 1 || j + r >= N - 1 || k + v < 1 || k + v >= N - 1) { keeps |= 1u << (r * COLUMNS + v); }
    }
  }

  // Step t takes values of plane q - t, and with those of the two planes before computes plane q - t - 1. Which third
  // of `plane` holds which of them changes with q.
  REAL plane[3][STEPS][ROWS][COLUMNS];
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < COLUMNS; ++v) {
        plane[0][t][r][v] = 0;
        plane[1][t][r][v] = 0;
      }
    }
    put(mine + t * kPlane, plane[1][t][0]);
    put(mine + t * kPlane + 32 * COLUMNS, plane[1][t][0]);
  }
  int first = max(begin - STEPS, 0);
  int last = min(end + STEPS, N) - 1;  // that is loaded
  // Slots for the planes under way, behind the edge rows: no thread reads those of another.
  const int kSlot = BLOCK_Y * ROWS * 32 * COLUMNS;
  REAL* slots = edges_s + 3 * STEPS * kPlane + w * ROWS * 32 * COLUMNS + x;
  for (int a = 0; a < AHEAD; ++a) {
    if (first + a <= last) { copy<ALIGNED>(in + (first + a) * N * N, N, at, j, k, slots + a * kSlot); }
    __pipeline_commit();
  }
  int slot = 0;
  const int lowest = max(begin, 1), highest = min(end, N - 1);  // planes that are stored
  const REAL* from = in + (first + AHEAD - 1) * N * N;          // the plane that was copied last
  REAL* to = out + lowest * N * N;                              // the plane that is stored next
  __syncthreads();

  bool phase = false;  // of the barrier
  for (int three = first; three < end + STEPS; three += 3) {
#pragma unroll
    for (int turn = 0; turn < 3; ++turn) {
      int q = three + turn;
      if (q >= end + STEPS) { break; }
      // Where the edge rows of planes q - t - 1 and q - t are. Those of plane q - t - 2 are not overwritten yet: other
      // warps may still read them.
      const int here = turn * STEPS * kPlane, there = (turn + 1) % 3 * STEPS * kPlane;
      REAL(*before)[ROWS][COLUMNS] = plane[turn];
      REAL(*middle)[ROWS][COLUMNS] = plane[(turn + 1) % 3];
      REAL(*next)[ROWS][COLUMNS] = plane[(turn + 2) % 3];
      REAL result[ROWS][COLUMNS];
      __pipeline_wait_prior(AHEAD - 1);
      for (int r = 0; r < ROWS; ++r) { get(slots + slot * kSlot + r * 32 * COLUMNS, next[0][r]); }
      if (q + AHEAD <= last) {
        from += N * N;
        copy<ALIGNED>(from, N, at, j, k, slots + slot * kSlot);
      }
      __pipeline_commit();
      slot = slot < AHEAD - 1 ? slot + 1 : 0;
#pragma unroll
      for (int t = 0; t < STEPS; ++t) {
        put(mine + there + t * kPlane, next[t][0]);
        put(mine + there + t * kPlane + 32 * COLUMNS, next[t][ROWS - 1]);
        if (t == STEPS - 1) { static_cast<void>(written.arrive()); }  // this thread's part of the edge rows is written
        REAL up[COLUMNS], down[COLUMNS];  // of plane q - t - 1, the rows of the warps before and behind
        get(above + here + t * kPlane, up);
        get(below + here + t * kPlane, down);
        REAL sum[ROWS][COLUMNS];
        for (int r = 0; r < ROWS; ++r) {
          REAL left = __shfl_up_sync(0xffffffff, middle[t][r][COLUMNS - 1], 1);
          REAL right = __shfl_down_sync(0xffffffff, middle[t][r][0], 1);
          for (int v = 0; v < COLUMNS; ++v) {
            sum[r][v] = c[0] * middle[t][r][v] + c[1] * (v > 0 ? middle[t][r][v - 1] : left) +
                        c[2] * (v < COLUMNS - 1 ? middle[t][r][v + 1] : right) +
                        c[3] * (r > 0 ? middle[t][r - 1][v] : up[v]) +
                        c[4] * (r < ROWS - 1 ? middle[t][r + 1][v] : down[v]) + c[5] * before[t][r][v] +
                        c[6] * next[t][r][v];
          }
        }
        int i = q - t - 1;
        unsigned kept = i < 1 || i >= N - 1 ? ~0u : keeps;
        if (kept != 0) {
          for (int r = 0; r < ROWS; ++r) {
            for (int v = 0; v < COLUMNS; ++v) {
              if (kept >> (r * COLUMNS + v) & 1) { sum[r][v] = middle[t][r][v]; }
            }
          }
        }
        for (int r = 0; r < ROWS; ++r) {
          for (int v = 0; v < COLUMNS; ++v) {
            if (t < STEPS - 1) {
              next[t + 1][r][v] = sum[r][v];
            } else {
              result[r][v] = sum[r][v];
            }
          }
        }
      }
      int i = q - STEPS;
      if (i >= lowest && i < highest) {
        for (int r = 0; r < ROWS; ++r) {
          if (stores >> r & 1) { store<ALIGNED>(to, N, at[r], k, result[r]); }
        }
        to += N * N;
      }
      written.wait_parity(phase);
      phase = !phase;
    }
  }
}

__global__ void __launch_bounds__(32 * BLOCK_Y) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL edges_s[];  // of three planes of each step: first and last row of each warp
  __shared__ cuda::barrier<cuda::thread_scope_block> written;
  if (threadIdx.x == 0 && threadIdx.y == 0) { init(&written, 32 * BLOCK_Y); }
  if (N % COLUMNS == 0) {
    march<true>(in, out, N, edges_s, written);
  } else {
    march<false>(in, out, N, edges_s, written);
  }
}
