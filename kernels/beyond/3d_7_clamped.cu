/* haloscope
title: 3D 7-point sweep, addresses once per thread
book: beyond the book; extends section 8.5
idea: Addresses are computed once per thread and clamped to the grid, so that no load has a condition; a launch bound limits registers, so that more blocks are resident.
extends: beyond/3d_7_rows
order: 22
sizes:
  N: {default: 96, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 6, min: 1, max: 64, meaning: planes per block}
  BLOCKS: {default: 1, min: 1, max: 16, meaning: blocks per multiprocessor for which registers are limited}
precision: {macro: REAL, types: [float, double]}
requires: [32 % BLOCK_X == 0 || BLOCK_X % 32 == 0, BLOCK_X * BLOCK_Y % 32 == 0, BLOCK_X * BLOCK_Y * BLOCKS <= 2048]
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 208 / sizeof(REAL) * ROWS * PLANES / (16 * (ROWS * (PLANES + 2) + 2 * PLANES) + 2 * sizeof(REAL) * ROWS * PLANES / min(BLOCK_X, 32))
*/
#ifndef REAL
#define REAL float
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 4
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef PLANES
#define PLANES 6
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
#define LANES (BLOCK_X < 32 ? BLOCK_X : 32)  // of a warp, side by side in one row
#define WIDTH int(16 / sizeof(REAL))         // values in a vector

__constant__ REAL c[7];

__device__ REAL sum(REAL here, REAL left, REAL right, REAL above, REAL below, REAL before, REAL behind) {
  return c[0] * here + c[1] * left + c[2] * right + c[3] * above + c[4] * below + c[5] * before + c[6] * behind;
}

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

// A vector and its two neighbours: in other lanes, but for those of the first and the last lane of a row.
__device__ void widen(const REAL* own, REAL edge, int lane, REAL* row) {
  row[0] = __shfl_up_sync(0xffffffff, own[WIDTH - 1], 1, LANES);
  for (int v = 0; v < WIDTH; ++v) { row[v + 1] = own[v]; }
  row[WIDTH + 1] = __shfl_down_sync(0xffffffff, own[0], 1, LANES);
  if (lane == 0) { row[0] = edge; }
  if (lane == LANES - 1) { row[WIDTH + 1] = edge; }
}

// Stores a vector. Columns at the border of the grid keep their value and are stored with the others: without them each
// of the others would be a request of its own.
__device__ void store(REAL* to, int N, int k, const REAL* own, REAL* result) {
  if (k == 0) { result[0] = own[0]; }
  if (k + WIDTH == N) { result[WIDTH - 1] = own[WIDTH - 1]; }
  if (k < N) { put(to, result); }
}

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y, BLOCKS) stencil(const REAL* in, REAL* out, int N) {
  int k = WIDTH * (blockIdx.x * BLOCK_X + threadIdx.x);
  int j = ROWS * (blockIdx.y * BLOCK_Y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);
  int lane = threadIdx.x % LANES;
  bool outer = lane == 0 || lane == LANES - 1;

  if (N % WIDTH == 0) {
    // Where a plane holds the vectors of rows j - 1 to j + ROWS. For those beyond the grid the nearest that is not,
    // since only points that keep their value have such neighbours.
    int at[ROWS + 2];
    for (int r = 0; r < ROWS + 2; ++r) { at[r] = min(max(j + r - 1, 0), N - 1) * N + min(k, N - WIDTH); }
    int beside = min(max(lane == 0 ? k - 1 : k + WIDTH, 0), N - 1) - min(k, N - WIDTH);  // column that an edge lane needs
    const REAL* plane = in + begin * N * N;
    REAL* to = out + begin * N * N;

    // Of planes i - 1, i and i + 1; of plane i also the row before the thread's rows and the one behind them.
    REAL before[ROWS][WIDTH], here[ROWS + 2][WIDTH], behind[ROWS][WIDTH];
    for (int r = 0; r < ROWS; ++r) {
      get(plane - N * N + at[r + 1], before[r]);
      get(plane + at[r + 1], here[r + 1]);
    }
    for (int i = begin; i < end; ++i) {
      REAL edge[ROWS];
      get(plane + at[0], here[0]);
      get(plane + at[ROWS + 1], here[ROWS + 1]);
      for (int r = 0; r < ROWS; ++r) {
        const REAL* own = plane + at[r + 1];
        get(own + N * N, behind[r]);
        edge[r] = 0;
        if (outer) { edge[r] = own[beside]; }
      }
      for (int r = 0; r < ROWS; ++r) {
        REAL row[WIDTH + 2], result[WIDTH];
        widen(here[r + 1], edge[r], lane, row);
        for (int v = 0; v < WIDTH; ++v) {
          result[v] = sum(row[v + 1], row[v], row[v + 2], here[r][v], here[r + 2][v], before[r][v], behind[r][v]);
        }
        if (j + r >= 1 && j + r < N - 1) { store(to + at[r + 1], N, k, row + 1, result); }
      }
      for (int r = 0; r < ROWS; ++r) {
        for (int v = 0; v < WIDTH; ++v) {
          before[r][v] = here[r + 1][v];
          here[r + 1][v] = behind[r][v];
        }
      }
      plane += N * N;
      to += N * N;
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, 1); y < min(j + ROWS, N - 1); ++y) {
        for (int x = max(k, 1); x < min(k + WIDTH, N - 1); ++x) {
          const REAL* at = in + (i * N + y) * N + x;
          out[(i * N + y) * N + x] = sum(at[0], at[-1], at[1], at[-N], at[N], at[-N * N], at[N * N]);
        }
      }
    }
  }
}
