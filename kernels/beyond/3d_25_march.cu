/* haloscope
title: 3D 25-point sweep, next plane loaded ahead
book: beyond the book; extends section 8.5
idea: The plane that the queue needs next is loaded before the sums, so that its loads are under way while the thread computes.
extends: beyond/3d_25_queue
order: 42
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 4, max: 128, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 8, min: 1, max: 128, meaning: planes per block}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [25]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -2],
         [0, 0, 2], [0, -2, 0], [0, 2, 0], [-2, 0, 0], [2, 0, 0], [0, 0, -3], [0, 0, 3], [0, -3, 0],
         [0, 3, 0], [-3, 0, 0], [3, 0, 0], [0, 0, -4], [0, 0, 4], [0, -4, 0], [0, 4, 0], [-4, 0, 0],
         [4, 0, 0]]
  border: keeps its value
op_per_byte: 784 / sizeof(REAL) * ROWS * PLANES / (16 * (ROWS * (PLANES + 8) + 8 * PLANES + 2 * ceil(4 * sizeof(REAL) / 16) * ROWS * PLANES))
*/
#ifndef REAL
#define REAL float
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef PLANES
#define PLANES 8
#endif
#define ORDER 4
#define WIDTH int(16 / sizeof(REAL))  // values in a vector

__constant__ REAL c[25];

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

__global__ void stencil(const REAL* in, REAL* out, int N) {
  int k = WIDTH * (blockIdx.x * blockDim.x + threadIdx.x);
  int j = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
  int begin = max(int(blockIdx.z * PLANES), ORDER);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - ORDER);
  if (begin >= end || j >= N || k >= N) { return; }

  if (N % WIDTH == 0) {
    // Where rows j - ORDER to j + ROWS + ORDER - 1 are in a plane. For those beyond the grid the nearest that is not,
    // since only points that keep their value have such neighbours; so too for vectors.
    int at[ROWS + 2 * ORDER];
    for (int r = 0; r < ROWS + 2 * ORDER; ++r) { at[r] = min(max(j + r - ORDER, 0), N - 1) * N + k; }
    REAL queue[ROWS][2 * ORDER + 1][WIDTH];  // of planes i - ORDER to i + ORDER
    REAL next[ROWS][WIDTH];                  // of plane i + ORDER + 1
    for (int r = 0; r < ROWS; ++r) {
      for (int d = 0; d < 2 * ORDER + 1; ++d) { get(in + (begin - ORDER + d) * N * N + at[r + ORDER], queue[r][d]); }
    }
    for (int i = begin; i < end; ++i) {
      if (i + 1 < end) {
        for (int r = 0; r < ROWS; ++r) { get(in + (i + ORDER + 1) * N * N + at[r + ORDER], next[r]); }
      }
      const REAL* plane = in + i * N * N;
      REAL column[ROWS + 2 * ORDER][WIDTH];  // of plane i, rows j - ORDER to j + ROWS + ORDER - 1
      for (int r = 0; r < ORDER; ++r) {
        get(plane + at[r], column[r]);
        get(plane + at[r + ROWS + ORDER], column[r + ROWS + ORDER]);
      }
      for (int r = 0; r < ROWS; ++r) {
        for (int v = 0; v < WIDTH; ++v) { column[r + ORDER][v] = queue[r][ORDER][v]; }
      }
      for (int r = 0; r < ROWS; ++r) {
        REAL row[WIDTH + 2 * ORDER];  // own values with ORDER neighbours on each side, from whole vectors
        for (int v = 0; v < WIDTH; ++v) { row[v + ORDER] = queue[r][ORDER][v]; }
        for (int from = WIDTH; from < ORDER + WIDTH; from += WIDTH) {
          REAL left[WIDTH], right[WIDTH];
          get(plane + at[r + ORDER] - min(from, k), left);
          get(plane + at[r + ORDER] + min(from, N - WIDTH - k), right);
          for (int v = 0; v < WIDTH; ++v) {
            if (ORDER - from + v >= 0) { row[ORDER - from + v] = left[v]; }
            if (from + v < WIDTH + ORDER) { row[ORDER + from + v] = right[v]; }
          }
        }
        REAL result[WIDTH];
        for (int v = 0; v < WIDTH; ++v) {
          REAL sum = c[0] * row[v + ORDER];
          for (int d = 1; d <= ORDER; ++d) {
            sum += c[6 * d - 5] * row[v + ORDER - d] + c[6 * d - 4] * row[v + ORDER + d] +
                   c[6 * d - 3] * column[r + ORDER - d][v] + c[6 * d - 2] * column[r + ORDER + d][v] +
                   c[6 * d - 1] * queue[r][ORDER - d][v] + c[6 * d] * queue[r][ORDER + d][v];
          }
          result[v] = sum;
        }
        REAL* to = out + (i * N + j + r) * N + k;
        if (j + r >= ORDER && j + r < N - ORDER) {
          if (k >= ORDER && k + WIDTH <= N - ORDER) {
            put(to, result);
          } else {
            for (int v = 0; v < WIDTH; ++v) {
              if (k + v >= ORDER && k + v < N - ORDER) { to[v] = result[v]; }
            }
          }
        }
      }
      for (int r = 0; r < ROWS; ++r) {
        for (int v = 0; v < WIDTH; ++v) {
          for (int d = 0; d < 2 * ORDER; ++d) { queue[r][d][v] = queue[r][d + 1][v]; }
          queue[r][2 * ORDER][v] = next[r][v];
        }
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, ORDER); y < min(j + ROWS, N - ORDER); ++y) {
        for (int x = max(k, ORDER); x < min(k + WIDTH, N - ORDER); ++x) {
          const REAL* at = in + (i * N + y) * N + x;
          REAL sum = c[0] * at[0];
          for (int d = 1; d <= ORDER; ++d) {
            sum += c[6 * d - 5] * at[-d] + c[6 * d - 4] * at[d] + c[6 * d - 3] * at[-d * N] + c[6 * d - 2] * at[d * N] +
                   c[6 * d - 1] * at[-d * N * N] + c[6 * d] * at[d * N * N];
          }
          out[(i * N + y) * N + x] = sum;
        }
      }
    }
  }
}
