/* haloscope
title: 3D 7-point sweep, march with vectors
book: beyond the book; extends section 8.5 with the vector loads of stencil/vector_loads
idea: A thread holds four columns of several rows of three planes in registers, and loads the plane after next while it computes.
order: 21
sizes:
  N: {default: 128, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 32, min: 32, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 8, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 6, min: 1, max: 128, meaning: planes per block}
precision: {macro: REAL, types: [float, double]}
requires: [BLOCK_X == 32 * ceil(BLOCK_X / 32)]
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
op_per_byte: 13 * 16 / sizeof(REAL) * ROWS * PLANES / (16 * (ROWS * (PLANES + 3) + 2 * PLANES) + sizeof(REAL) * ROWS * PLANES / 16)
*/
#ifndef REAL
#define REAL float
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef PLANES
#define PLANES 6
#endif

#define WIDTH (16 / sizeof(REAL))  // values of a vector: 4 floats or 2 doubles

struct alignas(16) Vector {
  REAL at[WIDTH];
};

__constant__ REAL c[7];

// A vector of row j of plane i, zero outside the grid.
__device__ Vector load(const REAL* in, int N, int i, int j, int k) {
  Vector vector = {};
  if (i < N && j >= 0 && j < N && k < N) { vector = *reinterpret_cast<const Vector*>(in + (i * N + j) * N + k); }
  return vector;
}

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int lane = threadIdx.x % 32;
  int k = WIDTH * (blockIdx.x * blockDim.x + threadIdx.x);
  int j = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), 1);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - 1);

  if (N % WIDTH == 0) {
    Vector before[ROWS], here[ROWS], behind[ROWS];  // planes i - 1, i and i + 1
    for (int r = 0; r < ROWS; ++r) {
      before[r] = load(in, N, begin - 1, j + r, k);
      here[r] = load(in, N, begin, j + r, k);
      behind[r] = load(in, N, begin + 1, j + r, k);
    }
    for (int i = begin; i < end; ++i) {
      Vector above = load(in, N, i, j - 1, k);
      Vector below = load(in, N, i, j + ROWS, k);
      Vector next[ROWS];
      REAL edge[ROWS];  // what the first and the last lane need of their neighbours outside the warp
      for (int r = 0; r < ROWS; ++r) {
        next[r] = load(in, N, i + 2, j + r, k);
        edge[r] = 0;
        if (lane == 0 && k > 0 && k < N && j + r < N) { edge[r] = in[(i * N + j + r) * N + k - 1]; }
        if (lane == 31 && k + WIDTH < N && j + r < N) { edge[r] = in[(i * N + j + r) * N + k + WIDTH]; }
      }
      for (int r = 0; r < ROWS; ++r) {
        REAL fromLeft = __shfl_up_sync(0xffffffff, here[r].at[WIDTH - 1], 1);
        REAL fromRight = __shfl_down_sync(0xffffffff, here[r].at[0], 1);
        if (lane == 0) { fromLeft = edge[r]; }
        if (lane == 31) { fromRight = edge[r]; }
        Vector result;
        for (int v = 0; v < WIDTH; ++v) {
          REAL left = v > 0 ? here[r].at[v - 1] : fromLeft;
          REAL right = v < WIDTH - 1 ? here[r].at[v + 1] : fromRight;
          REAL up = r > 0 ? here[r - 1].at[v] : above.at[v];
          REAL down = r < ROWS - 1 ? here[r + 1].at[v] : below.at[v];
          result.at[v] = c[0] * here[r].at[v] + c[1] * left + c[2] * right + c[3] * up + c[4] * down +
                         c[5] * before[r].at[v] + c[6] * behind[r].at[v];
        }
        if (j + r >= 1 && j + r < N - 1) {
          REAL* to = out + (i * N + j + r) * N + k;
          if (k > 0 && k + WIDTH < N) {
            *reinterpret_cast<Vector*>(to) = result;
          } else {
            for (int v = 0; v < WIDTH; ++v) {
              if (k + v > 0 && k + v < N - 1) { to[v] = result.at[v]; }
            }
          }
        }
      }
      for (int r = 0; r < ROWS; ++r) {
        before[r] = here[r];
        here[r] = behind[r];
        behind[r] = next[r];
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, 1); y < min(j + ROWS, N - 1); ++y) {
        for (int x = max(k, 1); x < min(k + int(WIDTH), N - 1); ++x) {
          const REAL* at = in + (i * N + y) * N + x;
          out[(i * N + y) * N + x] = c[0] * at[0] + c[1] * at[-1] + c[2] * at[1] + c[3] * at[-N] + c[4] * at[N] +
                                     c[5] * at[-N * N] + c[6] * at[N * N];
        }
      }
    }
  }
}
