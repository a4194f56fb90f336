/* haloscope
title: 3D 7-point sweep, several steps at once in registers
book: beyond the book; extends section 8.5
idea: The time steps march along z together, each one plane behind the step before it, and their planes stay in registers; only edge rows go to other warps, through shared memory.
extends: beyond/3d_7_two_steps
order: 61
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  STEPS: {default: 2, min: 1, max: 8, meaning: time steps per launch}
  COLUMNS: {default: 2, min: 2, max: 4, meaning: columns per thread}
  ROWS: {default: 4, min: 1, max: 6, meaning: rows per thread}
  BLOCK_Y: {default: 4, min: 1, max: 32, meaning: warps per block}
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
  dynamic_shared_bytes: 128 * STEPS * BLOCK_Y * COLUMNS * sizeof(REAL)
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  steps: STEPS
op_per_byte: 13 * STEPS / sizeof(REAL)
*/
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

// Loads the thread's part of a plane, whose vectors are at these places.
__device__ void load(const REAL* plane, int N, const int* at, int k, REAL v[ROWS][COLUMNS]) {
  for (int r = 0; r < ROWS; ++r) {
    if (N % COLUMNS == 0) {
      get(plane + at[r], v[r]);
    } else {  // rows do not begin at multiples of a vector
      for (int n = 0; n < COLUMNS; ++n) { v[r][n] = plane[at[r] - min(k, N - COLUMNS) + min(k + n, N - 1)]; }
    }
  }
}

// Stores a vector with the columns at the border of the grid, which keep their value: without them each of the others
// would be a request of its own.
__device__ void store(REAL* to, int N, int k, const REAL* result) {
  if (N % COLUMNS == 0) {
    put(to, result);
  } else {
    for (int v = 0; v < COLUMNS; ++v) {
      if (k + v < N) { to[v] = result[v]; }
    }
  }
}

__global__ void __launch_bounds__(32 * BLOCK_Y) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL edges_s[];  // of two planes of each step: first and last row of each warp
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

  // Beyond the grid the nearest values stand in: no result depends on them. Points at its border keep their value, and
  // rows in a halo are stored by the next tile, if there is one.
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

  // Step t takes values of plane q - t, and with those of the two planes before computes plane q - t - 1.
  REAL before[STEPS][ROWS][COLUMNS], middle[STEPS][ROWS][COLUMNS], ahead[ROWS][COLUMNS];
#pragma unroll
  for (int t = 0; t < STEPS; ++t) {
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < COLUMNS; ++v) {
        before[t][r][v] = 0;
        middle[t][r][v] = 0;
      }
    }
    put(mine + t * kPlane, middle[t][0]);
    put(mine + t * kPlane + 32 * COLUMNS, middle[t][0]);
  }
  int first = max(begin - STEPS, 0);
  int last = min(end + STEPS, N) - 1;  // that is loaded
  load(in + first * N * N, N, at, k, ahead);
  __syncthreads();

  int here = 0, there = STEPS * kPlane;  // where the edge rows of planes q - t - 1 and q - t are
  for (int q = first; q < end + STEPS; ++q) {
    REAL next[ROWS][COLUMNS];
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < COLUMNS; ++v) { next[r][v] = ahead[r][v]; }
    }
    if (q < last) { load(in + (q + 1) * N * N, N, at, k, ahead); }
#pragma unroll
    for (int t = 0; t < STEPS; ++t) {
      REAL up[COLUMNS], down[COLUMNS];  // of plane q - t - 1, the rows of the warps before and behind
      get(above + here + t * kPlane, up);
      get(below + here + t * kPlane, down);
      put(mine + there + t * kPlane, next[0]);
      put(mine + there + t * kPlane + 32 * COLUMNS, next[ROWS - 1]);
      REAL sum[ROWS][COLUMNS];
      for (int r = 0; r < ROWS; ++r) {
        REAL left = __shfl_up_sync(0xffffffff, middle[t][r][COLUMNS - 1], 1);
        REAL right = __shfl_down_sync(0xffffffff, middle[t][r][0], 1);
        for (int v = 0; v < COLUMNS; ++v) {
          sum[r][v] = c[0] * middle[t][r][v] + c[1] * (v > 0 ? middle[t][r][v - 1] : left) +
                      c[2] * (v < COLUMNS - 1 ? middle[t][r][v + 1] : right) +
                      c[3] * (r > 0 ? middle[t][r - 1][v] : up[v]) +
                      c[4] * (r < ROWS - 1 ? middle[t][r + 1][v] : down[v]) + c[5] * before[t][r][v] +
                      c[6] * next[r][v];
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
          before[t][r][v] = middle[t][r][v];
          middle[t][r][v] = next[r][v];
          next[r][v] = sum[r][v];
        }
      }
    }
    int i = q - STEPS;
    for (int r = 0; r < ROWS; ++r) {
      if (i >= max(begin, 1) && i < min(end, N - 1) && stores >> r & 1) {
        store(out + (i * N + j + r) * N + k, N, k, next[r]);
      }
    }
    int swapped = here;
    here = there;
    there = swapped;
    __syncthreads();
  }
}
