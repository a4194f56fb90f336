/* haloscope
title: 3D 7-point sweep, padded rows
book: beyond the book; extends section 8.5
idea: Every row begins at a multiple of 128 bytes, as cudaMallocPitch arranges it, so that vectors are aligned at any N. What lies between the end of a row and the next is padding.
extends: beyond/3d_7_rows
order: 25
sizes:
  N: {default: 90, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 6, min: 1, max: 64, meaning: planes per block}
precision: {macro: REAL, types: [float, double]}
requires: [32 % BLOCK_X == 0 || BLOCK_X % 32 == 0, BLOCK_X * BLOCK_Y % 32 == 0]
arrays:
  in: {shape: [N, N, 128 / sizeof(REAL) * ceil(N * sizeof(REAL) / 128)]}
  out: {shape: [N, N, 128 / sizeof(REAL) * ceil(N * sizeof(REAL) / 128)]}
  c: {shape: [7]}
arguments:
  pitch: 128 / sizeof(REAL) * ceil(N * sizeof(REAL) / 128)
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
  points: [N, N, N]
op_per_byte: 208 / sizeof(REAL) * ROWS * PLANES / (16 * (ROWS * (PLANES + 2) + 2 * PLANES) + 2 * sizeof(REAL) * ROWS * PLANES / min(BLOCK_X, 32))
*/
#ifndef REAL
#define REAL float
#endif
#ifndef BLOCK_X
#define BLOCK_X 8
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef PLANES
#define PLANES 6
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

// Loads the vector at row j of plane i, zeros outside the grid. The last one of a row may hold padding.
__device__ void load(const REAL* in, int N, int pitch, int i, int j, int k, REAL* v) {
  for (int n = 0; n < WIDTH; ++n) { v[n] = 0; }
  if (i < N && j >= 0 && j < N && k < N) { get(in + (i * N + j) * pitch + k, v); }
}

// A vector and its two neighbours: in other lanes, but for those of the first and the last lane of a row.
__device__ void widen(const REAL* own, REAL edge, int lane, REAL* row) {
  row[0] = __shfl_up_sync(0xffffffff, own[WIDTH - 1], 1, LANES);
  for (int v = 0; v < WIDTH; ++v) { row[v + 1] = own[v]; }
  row[WIDTH + 1] = __shfl_down_sync(0xffffffff, own[0], 1, LANES);
  if (lane == 0) { row[0] = edge; }
  if (lane == LANES - 1) { row[WIDTH + 1] = edge; }
}

// Stores a vector. Columns at the border of the grid, and padding, keep their value and are stored with the others:
// without them each of the others would be a request of its own.
__device__ void store(REAL* to, int N, int k, const REAL* own, REAL* result) {
  for (int v = 0; v < WIDTH; ++v) {
    if (k + v == 0 || k + v >= N - 1) { result[v] = own[v]; }
  }
  if (k < N) { put(to, result); }
}

__global__ void stencil(const REAL* in, REAL* out, int N, int pitch) {
  int k = WIDTH * (blockIdx.x * blockDim.x + threadIdx.x);
  int j = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);
  int lane = threadIdx.x % LANES;
  int beside = lane == 0 ? k - 1 : k + WIDTH;
  bool outer = (lane == 0 || lane == LANES - 1) && k < N && beside >= 0 && beside < N;

  // Of planes i - 1, i and i + 1; of plane i also the row before the thread's rows and the one behind them.
  REAL before[ROWS][WIDTH], here[ROWS + 2][WIDTH], behind[ROWS][WIDTH];
  for (int r = 0; r < ROWS; ++r) {
    load(in, N, pitch, begin - 1, j + r, k, before[r]);
    load(in, N, pitch, begin, j + r, k, here[r + 1]);
  }
  for (int i = begin; i < end; ++i) {
    REAL edge[ROWS];
    load(in, N, pitch, i, j - 1, k, here[0]);
    load(in, N, pitch, i, j + ROWS, k, here[ROWS + 1]);
    for (int r = 0; r < ROWS; ++r) {
      load(in, N, pitch, i + 1, j + r, k, behind[r]);
      edge[r] = 0;
      if (outer && j + r < N) { edge[r] = in[(i * N + j + r) * pitch + beside]; }
    }
    for (int r = 0; r < ROWS; ++r) {
      REAL row[WIDTH + 2], result[WIDTH];
      widen(here[r + 1], edge[r], lane, row);
      for (int v = 0; v < WIDTH; ++v) {
        result[v] = sum(row[v + 1], row[v], row[v + 2], here[r][v], here[r + 2][v], before[r][v], behind[r][v]);
      }
      if (j + r >= 1 && j + r < N - 1) { store(out + (i * N + j + r) * pitch + k, N, k, row + 1, result); }
    }
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < WIDTH; ++v) {
        before[r][v] = here[r + 1][v];
        here[r + 1][v] = behind[r][v];
      }
    }
  }
}
