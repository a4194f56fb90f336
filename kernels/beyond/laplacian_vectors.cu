/* haloscope
title: Laplacian, two columns per thread
book: beyond the book; extends the AMD lab notes on the Laplacian
idea: Loads and stores move two values at once, and the neighbours along x come from other lanes of the warp. Only the first and the last lane load one.
extends: beyond/laplacian_march
order: 71
sizes:
  nx: {default: 256, min: 1, max: 1024, meaning: grid points along x}
  ny: {default: 18, min: 1, max: 1024, meaning: grid points along y}
  nz: {default: 10, min: 1, max: 1024, meaning: grid points along z}
tunables:
  WARPS: {default: 4, min: 1, max: 16, meaning: warps per block along x}
  BLOCK_Y: {default: 1, min: 1, max: 16, meaning: rows of warps per block}
  TILE_Y: {default: 2, min: 1, max: 4, meaning: grid points per thread along y}
  PLANES: {default: 5, min: 1, max: 64, meaning: planes per block}
requires: [WARPS * BLOCK_Y <= 32]
arrays:
  u:
    shape: [nz, ny, nx]
    values: 8 * x * (x + 1 - nx) + 32 * y * (y + 1 - ny) + 128 * z * (z + 1 - nz)
  f: {shape: [nz, ny, nx]}
arguments:
  invhx2: 1 / 4^2
  invhy2: 1 / 8^2
  invhz2: 1 / 16^2
  invhxyz2: -2 * (1 / 4^2 + 1 / 8^2 + 1 / 16^2)
launch:
  grid: [ceil(nx / (64 * WARPS)), ceil(ny / (BLOCK_Y * TILE_Y)), ceil(nz / PLANES)]
  block: [32 * WARPS, BLOCK_Y, 1]
computes:
  output: f
  input: u
  weights: [invhxyz2, invhx2, invhx2, invhy2, invhy2, invhz2, invhz2]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 20 * TILE_Y / (16 * (TILE_Y + 2 + 2 * TILE_Y / PLANES) + 8 * 2 * TILE_Y / 32)
*/
#ifndef TILE_Y
#define TILE_Y 2
#endif
#ifndef PLANES
#define PLANES 5
#endif

// Two values side by side, zeros outside the grid.
__device__ double2 load(const double* u, int nx, int ny, int nz, int i, int j, int k) {
  if (i >= nx || j < 0 || j >= ny || k >= nz) { return make_double2(0, 0); }
  return *reinterpret_cast<const double2*>(u + (k * ny + j) * nx + i);
}

__global__ void laplacian(const double* u, double* f, int nx, int ny, int nz, double invhx2, double invhy2,
                          double invhz2, double invhxyz2) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  int jStart = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_Y;
  int kStart = max(int(blockIdx.z * PLANES), 1);
  int kEnd = min(int(blockIdx.z * PLANES + PLANES), nz - 1);
  int lane = threadIdx.x % 32;
  int beside = lane == 0 ? i - 1 : i + 2;
  bool outer = (lane == 0 || lane == 31) && i < nx && beside >= 0 && beside < nx;

  if (nx % 2 == 0) {
    double2 before[TILE_Y], here[TILE_Y + 2], behind[TILE_Y];  // of planes k - 1, k and k + 1
    #pragma unroll
    for (int n = 0; n < TILE_Y; ++n) {
      before[n] = load(u, nx, ny, nz, i, jStart + n, kStart - 1);
      here[n + 1] = load(u, nx, ny, nz, i, jStart + n, kStart);
    }
    for (int k = kStart; k < kEnd; ++k) {
      here[0] = load(u, nx, ny, nz, i, jStart - 1, k);
      here[TILE_Y + 1] = load(u, nx, ny, nz, i, jStart + TILE_Y, k);
      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) { behind[n] = load(u, nx, ny, nz, i, jStart + n, k + 1); }
      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) {
        int j = jStart + n;
        double left = __shfl_up_sync(0xffffffff, here[n + 1].y, 1);
        double right = __shfl_down_sync(0xffffffff, here[n + 1].x, 1);
        if (outer && j < ny) {
          double edge = u[(k * ny + j) * nx + beside];
          if (lane == 0) { left = edge; } else { right = edge; }
        }
        double2 sum;
        sum.x = here[n + 1].x * invhxyz2 + (left + here[n + 1].y) * invhx2
              + (here[n].x + here[n + 2].x) * invhy2 + (before[n].x + behind[n].x) * invhz2;
        sum.y = here[n + 1].y * invhxyz2 + (here[n + 1].x + right) * invhx2
              + (here[n].y + here[n + 2].y) * invhy2 + (before[n].y + behind[n].y) * invhz2;
        double* to = f + (k * ny + j) * nx + i;
        if (j >= 1 && j < ny - 1 && i < nx) {
          if (i > 0 && i + 2 < nx) {
            __stcs(reinterpret_cast<double2*>(to), sum);
          } else {
            if (i > 0) { to[0] = sum.x; }
            if (i + 2 < nx) { to[1] = sum.y; }
          }
        }
      }
      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) {
        before[n] = here[n + 1];
        here[n + 1] = behind[n];
      }
    }
  } else {  // rows do not begin at multiples of 16 bytes
    int slice = nx * ny;
    for (int k = kStart; k < kEnd; ++k) {
      for (int j = max(jStart, 1); j < min(jStart + TILE_Y, ny - 1); ++j) {
        for (int x = max(i, 1); x < min(i + 2, nx - 1); ++x) {
          const double* at = u + k * slice + j * nx + x;
          f[k * slice + j * nx + x] = at[0] * invhxyz2 + (at[-1] + at[1]) * invhx2 + (at[-nx] + at[nx]) * invhy2
                                    + (at[-slice] + at[slice]) * invhz2;
        }
      }
    }
  }
}
