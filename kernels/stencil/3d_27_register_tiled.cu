/* haloscope
title: 3D 27-point sweep, sums in registers
book: PMPP 4e, section 8.5, for a box of points; beyond the book
idea: With corner neighbours, inputs of other planes cannot stay in registers; partial sums do instead, and only the current plane is in shared memory.
extends: stencil/3d_27_coarsened
order: 73
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 32, meaning: edge of the input tile}
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [3, 3, 3]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  window: [1, 1, 1]
  border: keeps its value
op_per_byte: 54 / sizeof(REAL) * (1 - 2 / IN_TILE_DIM)^3
*/
#ifndef REAL
#define REAL float
#endif

// In a 7-point stencil other threads read
// only the current plane, so the values
// before and after it can stay in each
// thread's registers. With 27 points a
// thread needs its neighbours' values in
// all three planes, but cannot read their
// registers. The sums can be kept there
// instead: while a plane is in shared
// memory, each thread adds its share to
// the three outputs of its column that
// depend on it, and keeps these three
// sums in registers.
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ REAL c[3][3][3];

__global__ void stencil(const REAL* in, REAL* out, int N) {
  __shared__ REAL in_s[IN_TILE_DIM][IN_TILE_DIM];

  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + ty - 1;
  int k = blockIdx.x * OUT_TILE_DIM + tx - 1;

  bool inGrid = j >= 0 && j < N && k >= 0 && k < N;
  bool inOutTile = ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1;
  bool computes = inOutTile && j >= 1 && j < N - 1 && k >= 1 && k < N - 1;

  int iFirst = max(iStart, 1);
  int iEnd = min(iStart + OUT_TILE_DIM, N - 1);

  REAL sumPrev = 0;
  REAL sumCurr = 0;
  REAL sumNext = 0;

  for (int i = iStart - 1; i <= iStart + OUT_TILE_DIM; ++i) {
    if (inGrid && i >= 0 && i < N) {
      in_s[ty][tx] = in[(i * N + j) * N + k];
    }
    __syncthreads();
    if (computes) {
      for (int dj = -1; dj <= 1; ++dj) {
        for (int dk = -1; dk <= 1; ++dk) {
          if (i - 1 >= iFirst && i - 1 < iEnd) {
            sumPrev += c[2][1 + dj][1 + dk] * in_s[ty + dj][tx + dk];
          }
          if (i >= iFirst && i < iEnd) {
            sumCurr += c[1][1 + dj][1 + dk] * in_s[ty + dj][tx + dk];
          }
          if (i + 1 >= iFirst && i + 1 < iEnd) {
            sumNext += c[0][1 + dj][1 + dk] * in_s[ty + dj][tx + dk];
          }
        }
      }
      if (i - 1 >= iFirst && i - 1 < iEnd) {
        out[((i - 1) * N + j) * N + k] = sumPrev;
      }
    }
    __syncthreads();
    sumPrev = sumCurr;
    sumCurr = sumNext;
    sumNext = 0;
  }
}
