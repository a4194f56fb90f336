/* haloscope
title: Laplacian, planes queue in registers
book: beyond the book; extends the AMD lab notes on the Laplacian
idea: A thread marches along z and keeps its rows of three planes in registers, so that a point is read once as the middle and not again as its neighbour in z.
extends: laplacian/streaming_store
order: 70
sizes:
  nx: {default: 256, min: 1, max: 1024, meaning: grid points along x}
  ny: {default: 18, min: 1, max: 1024, meaning: grid points along y}
  nz: {default: 10, min: 1, max: 1024, meaning: grid points along z}
tunables:
  BLOCK_X: {default: 256, min: 1, max: 1024, meaning: threads per block along x}
  BLOCK_Y: {default: 1, min: 1, max: 64, meaning: threads per block along y}
  TILE_Y: {default: 4, min: 1, max: 8, meaning: grid points per thread along y}
  PLANES: {default: 5, min: 1, max: 64, meaning: planes per block}
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
  grid: [ceil(nx / BLOCK_X), ceil(ny / (BLOCK_Y * TILE_Y)), ceil(nz / PLANES)]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: f
  input: u
  weights: [invhxyz2, invhx2, invhx2, invhy2, invhy2, invhz2, invhz2]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 10 * TILE_Y / (8 * (3 * TILE_Y + 2 + 2 * TILE_Y / PLANES))
*/
#ifndef TILE_Y
#define TILE_Y 4
#endif
#ifndef BLOCK_X
#define BLOCK_X 256
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 1
#endif
#ifndef PLANES
#define PLANES 5
#endif

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) laplacian(const double* u, double* f, int nx, int ny, int nz,
                          double invhx2, double invhy2, double invhz2, double invhxyz2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int jStart = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_Y + 1;
  int kStart = max(int(blockIdx.z * PLANES), 1);
  int kEnd = min(int(blockIdx.z * PLANES + PLANES), nz - 1);
  int rows = min(TILE_Y, ny - 1 - jStart);

  if (i >= 1 && i < nx - 1 && rows > 0 && kStart < kEnd) {
    int slice = nx * ny;
    int pos = kStart * slice + jStart * nx + i;
    double before[TILE_Y], here[TILE_Y + 2], behind[TILE_Y];  // of planes k - 1, k and k + 1

    #pragma unroll
    for (int n = 0; n < TILE_Y; ++n) {
      if (n < rows) {
        before[n] = u[pos + n * nx - slice];
        here[n + 1] = u[pos + n * nx];
      }
    }

    for (int k = kStart; k < kEnd; ++k) {
      here[0] = u[pos - nx];
      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) {
        if (n < rows) {
          behind[n] = u[pos + n * nx + slice];
        }
        if (n + 1 == rows) {
          here[n + 2] = u[pos + (n + 1) * nx];
        }
      }

      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) {
        if (n < rows) {
          double sum = here[n + 1] * invhxyz2
                     + (u[pos + n * nx - 1] + u[pos + n * nx + 1]) * invhx2
                     + (here[n] + here[n + 2]) * invhy2
                     + (before[n] + behind[n]) * invhz2;
          __stcs(&f[pos + n * nx], sum);
        }
      }

      #pragma unroll
      for (int n = 0; n < TILE_Y; ++n) {
        if (n < rows) {
          before[n] = here[n + 1];
          here[n + 1] = behind[n];
        }
      }
      pos += slice;
    }
  }
}
