/* haloscope
title: 3D 27-point sweep, rows in registers
book: beyond the book; extends section 8.5 for a box of points
idea: A thread computes several rows from vectors without shared memory, takes left and right neighbours from other lanes, and each row it holds serves up to nine sums of each of its columns.
extends: stencil/3d_27_register_tiled
order: 50
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 16, min: 1, max: 128, meaning: planes per block}
requires: [32 % BLOCK_X == 0 || BLOCK_X % 32 == 0, BLOCK_X * BLOCK_Y % 32 == 0]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [3, 3, 3]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  window: [1, 1, 1]
  border: keeps its value
op_per_byte: 864 / sizeof(REAL) * ROWS / ((ROWS + 2) * (16 + 2 * sizeof(REAL) / min(BLOCK_X, 32)))
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
#define PLANES 16
#endif
#define LANES (BLOCK_X < 32 ? BLOCK_X : 32)  // of a warp, side by side in one row
#define WIDTH int(16 / sizeof(REAL))         // values in a vector

__constant__ REAL c[3][3][3];

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

// Loads rows j - 1 to j + ROWS of plane i and the neighbours that an outer lane needs. For what is beyond the grid it
// takes the nearest that is not, since only points that keep their value have such neighbours.
__device__ void load(const REAL* in, int N, int i, int j, int k, int beside, bool outer, REAL v[ROWS + 2][WIDTH],
                     REAL* edge) {
  for (int r = 0; r < ROWS + 2; ++r) {
    const REAL* row = in + (i * N + min(max(j + r - 1, 0), N - 1)) * N;
    get(row + min(k, N - WIDTH), v[r]);
    edge[r] = 0;
    if (outer) { edge[r] = row[beside]; }
  }
}

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int k = WIDTH * (blockIdx.x * blockDim.x + threadIdx.x);
  int j = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);
  int lane = threadIdx.x % LANES;
  int beside = lane == 0 ? k - 1 : k + WIDTH;
  bool outer = (lane == 0 || lane == LANES - 1) && k < N && beside >= 0 && beside < N;

  if (N % WIDTH == 0 && N > WIDTH) {
    REAL own[ROWS + 2][WIDTH], edge[ROWS + 2];
    REAL before[ROWS][WIDTH], here[ROWS][WIDTH], behind[ROWS][WIDTH];  // sums of planes i - 1, i and i + 1
    REAL kept[ROWS];  // value of plane i - 1 at the border of the grid
    for (int r = 0; r < ROWS; ++r) {
      for (int v = 0; v < WIDTH; ++v) {
        before[r][v] = 0;
        here[r][v] = 0;
        behind[r][v] = 0;
      }
      kept[r] = 0;
    }
    for (int i = begin - 1; i <= end; ++i) {
      load(in, N, i, j, k, beside, outer, own, edge);
#pragma unroll
      for (int r = 0; r < ROWS + 2; ++r) {
        REAL row[WIDTH + 2];  // left neighbour, own values, right neighbour
        row[0] = __shfl_up_sync(0xffffffff, own[r][WIDTH - 1], 1, LANES);
        for (int v = 0; v < WIDTH; ++v) { row[v + 1] = own[r][v]; }
        row[WIDTH + 1] = __shfl_down_sync(0xffffffff, own[r][0], 1, LANES);
        if (lane == 0) { row[0] = edge[r]; }
        if (lane == LANES - 1) { row[WIDTH + 1] = edge[r]; }
#pragma unroll
        for (int n = 0; n < ROWS; ++n) {  // rows of results; this one is d rows above or below
          int d = r - 1 - n;
          if (d >= -1 && d <= 1) {
#pragma unroll
            for (int v = 0; v < WIDTH; ++v) {
              for (int x = 0; x < 3; ++x) {  // one fused multiply-add for each term
                before[n][v] += c[2][1 + d][x] * row[v + x];
                here[n][v] += c[1][1 + d][x] * row[v + x];
                behind[n][v] += c[0][1 + d][x] * row[v + x];
              }
            }
          }
        }
      }
      for (int r = 0; r < ROWS; ++r) {
        if (i > begin && j + r >= 1 && j + r < N - 1) {
          REAL* to = out + ((i - 1) * N + j + r) * N + k;
          // A column at the border of the grid is stored with its vector: without it each of the others would be a
          // request of its own.
          if (k == 0) { before[r][0] = kept[r]; }
          if (k + WIDTH == N) { before[r][WIDTH - 1] = kept[r]; }
          if (k < N) { put(to, before[r]); }
        }
        kept[r] = k == 0 ? own[r + 1][0] : own[r + 1][WIDTH - 1];
        for (int v = 0; v < WIDTH; ++v) {
          before[r][v] = here[r][v];
          here[r][v] = behind[r][v];
          behind[r][v] = 0;
        }
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes, or have one vector
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, 1); y < min(j + ROWS, N - 1); ++y) {
        for (int x = max(k, 1); x < min(k + WIDTH, N - 1); ++x) {
          REAL sum = 0;
          for (int di = 0; di < 3; ++di) {
            for (int dj = 0; dj < 3; ++dj) {
              for (int dk = 0; dk < 3; ++dk) {
                sum += c[di][dj][dk] * in[((i + di - 1) * N + y + dj - 1) * N + x + dk - 1];
              }
            }
          }
          out[(i * N + y) * N + x] = sum;
        }
      }
    }
  }
}
