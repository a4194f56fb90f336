/* haloscope
title: 3D 25-point sweep, ring of planes in shared memory
book: beyond the book; extends section 8.5
idea: Planes are copied ahead into a ring in shared memory, so that rows and columns beside a thread's own come from there. A plane is summed four planes after it came, so a warp need not wait at a barrier until it has passed the next. Entries of the queue change roles in an unrolled loop instead of being moved.
extends: beyond/3d_25_march
order: 43
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 8, max: 32, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 4, max: 16, meaning: threads per block along y}
  ROWS: {default: 2, min: 1, max: 4, meaning: rows per thread}
  PLANES: {default: 8, min: 1, max: 512, meaning: planes per block}
  AHEAD: {default: 2, min: 1, max: 4, meaning: planes under way}
requires: [BLOCK_X % 8 == 0, BLOCK_X * BLOCK_Y % 32 == 0]
precision: {macro: REAL, types: [float, double]}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [25]}
launch:
  grid: [ceil(N / (16 / sizeof(REAL) * BLOCK_X)), ceil(N / (ROWS * BLOCK_Y)), ceil(N / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
  dynamic_shared_bytes: (6 + AHEAD) * (ROWS * BLOCK_Y + 8) * (16 * BLOCK_X + 8 * sizeof(REAL))
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -2],
         [0, 0, 2], [0, -2, 0], [0, 2, 0], [-2, 0, 0], [2, 0, 0], [0, 0, -3], [0, 0, 3], [0, -3, 0],
         [0, 3, 0], [-3, 0, 0], [3, 0, 0], [0, 0, -4], [0, 0, 4], [0, -4, 0], [0, 4, 0], [-4, 0, 0],
         [4, 0, 0]]
  border: keeps its value
op_per_byte: 49 * BLOCK_X * ROWS * BLOCK_Y * PLANES / (sizeof(REAL) * (BLOCK_X * ROWS * BLOCK_Y * (PLANES + 8) + PLANES * (8 * BLOCK_X + ROWS * BLOCK_Y * sizeof(REAL) / 2)))
*/
#include <cuda/barrier>
#include <cuda_pipeline.h>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes the barrier

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
#define PLANES 8
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#define ORDER 4
#define SPAN (2 * ORDER + 1)                 // planes that a sum reads
#define WIDTH int(16 / sizeof(REAL))       // values in a vector
#define COLUMNS (BLOCK_X * WIDTH + 2 * ORDER)  // of the tile with its halo
#define HIGH (ROWS * BLOCK_Y + 2 * ORDER)  // rows of the tile with its halo
#define SLOTS (ORDER + 2 + AHEAD)          // planes in the ring
#define BESIDE (2 * ORDER / WIDTH)         // vectors of halo in a row
#define HALO (2 * ORDER * BLOCK_X + ROWS * BLOCK_Y * BESIDE)         // vectors of halo in a plane
#define EACH ((HALO + BLOCK_X * BLOCK_Y - 1) / (BLOCK_X * BLOCK_Y))  // of them for a thread

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

__device__ REAL* slotOf(REAL* ring, int plane) { return ring + plane % SLOTS * (HIGH * COLUMNS); }

// Copies the thread's vectors of a plane, and its share of the halo where it is needed.
__device__ void copy(const REAL* plane, REAL* slot, const int* at, const int* halo, const int* place, int mine,
                     bool withHalo) {
  for (int r = 0; r < ROWS; ++r) { __pipeline_memcpy_async(slot + mine + r * COLUMNS, plane + at[r], 16); }
  for (int e = 0; e < EACH; ++e) {
    if (withHalo && place[e] >= 0) { __pipeline_memcpy_async(slot + place[e], plane + halo[e], 16); }
  }
}

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) stencil(const REAL* in, REAL* out, int N) {
  extern __shared__ __align__(16) REAL ring_s[];  // of planes of the tile, each with a halo of ORDER points
  __shared__ cuda::barrier<cuda::thread_scope_block> copied;
  if (threadIdx.x == 0 && threadIdx.y == 0) { init(&copied, BLOCK_X * BLOCK_Y); }
  __syncthreads();

  int thread = BLOCK_X * threadIdx.y + threadIdx.x;
  int k = WIDTH * (blockIdx.x * BLOCK_X + threadIdx.x);
  int tile = ROWS * BLOCK_Y * blockIdx.y;  // its first row
  int j = tile + ROWS * threadIdx.y;
  int begin = max(int(blockIdx.z * PLANES), ORDER);
  int end = min(int(blockIdx.z * PLANES + PLANES), N - ORDER);
  if (begin >= end) { return; }

  if (N % WIDTH == 0) {
    // Where a plane holds the thread's vectors and its share of the halo, and where a slot of the ring takes them. For
    // those beyond the grid the nearest that is not, since only points that keep their value have such neighbours.
    int mine = (ROWS * threadIdx.y + ORDER) * COLUMNS + ORDER + WIDTH * threadIdx.x;
    int at[ROWS], halo[EACH], place[EACH];
    for (int r = 0; r < ROWS; ++r) { at[r] = min(j + r, N - 1) * N + min(k, N - WIDTH); }
    for (int e = 0; e < EACH; ++e) {
      int one = e * BLOCK_X * BLOCK_Y + thread;
      int row = one / BLOCK_X, x = ORDER + one % BLOCK_X * WIDTH;  // above and below the tile
      if (row >= ORDER) { row += ROWS * BLOCK_Y; }
      if (one >= 2 * ORDER * BLOCK_X) {  // beside it
        row = ORDER + (one - 2 * ORDER * BLOCK_X) / BESIDE;
        x = (one - 2 * ORDER * BLOCK_X) % BESIDE * WIDTH;
        if (x >= ORDER) { x += BLOCK_X * WIDTH; }
      }
      place[e] = one < HALO ? row * COLUMNS + x : -1;
      halo[e] = min(max(tile + row - ORDER, 0), N - 1) * N +
                min(max(int(blockIdx.x * BLOCK_X * WIDTH) + x - ORDER, 0), N - WIDTH);
    }

    bool stored[ROWS];  // the border is a whole number of vectors wide
    for (int r = 0; r < ROWS; ++r) {
      stored[r] = j + r >= ORDER && j + r < N - ORDER && k >= ORDER && k < N - ORDER;
    }
    REAL* to = out + begin * N * N;
    // Planes p - 2 * ORDER to p. Which entry holds which of them changes with p, in an unrolled loop, so that none moves.
    REAL queue[ROWS][SPAN][WIDTH];
    for (int r = 0; r < ROWS; ++r) {
      for (int d = 0; d < SPAN; ++d) {
        for (int v = 0; v < WIDTH; ++v) { queue[r][d][v] = 0; }
      }
    }
    const int first = begin - ORDER;
    for (int p = first; p < first + AHEAD; ++p) {
      if (p < end + ORDER) { copy(in + p * N * N, slotOf(ring_s, p), at, halo, place, mine, p >= begin && p < end); }
      __pipeline_commit();
    }
    bool phase = true;  // of the barrier: the plane before the first is there
    for (int nine = first; nine < end + ORDER; nine += SPAN) {
#pragma unroll
      for (int turn = 0; turn < SPAN; ++turn) {
        int p = nine + turn;
        if (p >= end + ORDER) { break; }
        // This thread's part of plane p is there. So are all parts of plane p - 1, and all have summed plane
        // p - 2 - ORDER, whose slot is free now.
        __pipeline_wait_prior(AHEAD - 1);
        copied.wait_parity(phase);
        phase = !phase;
        __syncwarp();
        if (thread % 32 == 0) { static_cast<void>(copied.arrive(32)); }
        int ahead = p + AHEAD;
        if (ahead < end + ORDER) {
          copy(in + ahead * N * N, slotOf(ring_s, ahead), at, halo, place, mine, ahead >= begin && ahead < end);
        }
        __pipeline_commit();
        const REAL* read = slotOf(ring_s, p) + mine;
        for (int r = 0; r < ROWS; ++r) { get(read + r * COLUMNS, queue[r][turn]); }

        int i = p - ORDER;
        if (i < begin) { continue; }
        const REAL* here = slotOf(ring_s, i) + mine;
        REAL column[ROWS + 2 * ORDER][WIDTH];  // rows j - ORDER to j + ROWS + ORDER - 1
        for (int d = 0; d < ORDER; ++d) {
          get(here + (d - ORDER) * COLUMNS, column[d]);
          get(here + (ROWS + d) * COLUMNS, column[ROWS + ORDER + d]);
        }
        for (int r = 0; r < ROWS; ++r) {
          for (int v = 0; v < WIDTH; ++v) { column[r + ORDER][v] = queue[r][(turn + SPAN - ORDER) % SPAN][v]; }
        }
        for (int r = 0; r < ROWS; ++r) {
          REAL row[WIDTH + 2 * ORDER];  // own values with ORDER neighbours on each side
          for (int v = 0; v < WIDTH; ++v) { row[ORDER + v] = column[r + ORDER][v]; }
          for (int v = 0; v < ORDER; v += WIDTH) {
            get(here + r * COLUMNS - ORDER + v, row + v);
            get(here + r * COLUMNS + WIDTH + v, row + ORDER + WIDTH + v);
          }
          REAL result[WIDTH];
          for (int v = 0; v < WIDTH; ++v) {
            REAL sum = c[0] * row[v + ORDER];
            for (int d = 1; d <= ORDER; ++d) {  // one fused multiply-add for each term
              sum += c[6 * d - 5] * row[v + ORDER - d];
              sum += c[6 * d - 4] * row[v + ORDER + d];
              sum += c[6 * d - 3] * column[r + ORDER - d][v];
              sum += c[6 * d - 2] * column[r + ORDER + d][v];
              sum += c[6 * d - 1] * queue[r][(turn + SPAN - ORDER - d) % SPAN][v];
              sum += c[6 * d] * queue[r][(turn + SPAN - ORDER + d) % SPAN][v];
            }
            result[v] = sum;
          }
          if (stored[r]) { put(to + at[r], result); }
        }
        to += N * N;
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    for (int i = begin; i < end; ++i) {
      for (int y = max(j, ORDER); y < min(j + ROWS, N - ORDER); ++y) {
        for (int x = max(k, ORDER); x < min(k + WIDTH, N - ORDER); ++x) {
          const REAL* from = in + (i * N + y) * N + x;
          REAL sum = c[0] * from[0];
          for (int d = 1; d <= ORDER; ++d) {
            sum += c[6 * d - 5] * from[-d] + c[6 * d - 4] * from[d] + c[6 * d - 3] * from[-d * N] +
                   c[6 * d - 2] * from[d * N] + c[6 * d - 1] * from[-d * N * N] + c[6 * d] * from[d * N * N];
          }
          out[(i * N + y) * N + x] = sum;
        }
      }
    }
  }
}
