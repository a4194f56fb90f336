/* haloscope
title: Launch bounds
book: AMD lab notes on the Laplacian, part 3
idea: __launch_bounds__ gives the compiler the block size and thus the register limit per thread; below that limit the code does not change.
extends: laplacian/ascending_reads
order: 4
sizes:
  nx: {default: 256, min: 1, max: 1024, meaning: grid points along x}
  ny: {default: 18, min: 1, max: 1024, meaning: grid points along y}
  nz: {default: 10, min: 1, max: 1024, meaning: grid points along z}
tunables:
  BLOCK_X: {default: 256, min: 1, max: 1024, meaning: threads per block along x}
  BLOCK_Y: {default: 1, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 1, min: 1, max: 64, meaning: threads per block along z}
  TILE_Y: {default: 4, min: 1, max: 16, meaning: grid points per thread along y}
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
  grid: [ceil(nx / BLOCK_X), ceil(ny / (BLOCK_Y * TILE_Y)), ceil(nz / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: f
  input: u
  weights: [invhxyz2, invhx2, invhx2, invhy2, invhy2, invhz2, invhz2]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 13 * TILE_Y / ((5 * TILE_Y + 2) * 8)
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
#ifndef BLOCK_Z
#define BLOCK_Z 1
#endif

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y * BLOCK_Z) laplacian(const double* u, double* f, int nx, int ny, int nz,
                          double invhx2, double invhy2, double invhz2, double invhxyz2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int jStart = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_Y + 1;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  int rows = min(TILE_Y, ny - 1 - jStart);

  if (i >= 1 && i < nx - 1 && rows > 0 && k >= 1 && k < nz - 1) {
    int slice = nx * ny;
    int pos = k * slice + jStart * nx + i;
    double sum[TILE_Y];

    #pragma unroll
    for (int n = 0; n < TILE_Y; ++n) {
      if (n < rows) {
        sum[n] = u[pos + n * nx - slice] * invhz2;
      }
    }

    #pragma unroll
    for (int n = -1; n <= TILE_Y; ++n) {
      bool inTile = n >= 0 && n < rows;
      if (inTile) {
        sum[n] += u[pos + n * nx - 1] * invhx2;
      }
      if (n <= rows) {
        double here = u[pos + n * nx];
        if (n >= 1) {
          sum[n - 1] += here * invhy2;
        }
        if (inTile) {
          sum[n] += here * invhxyz2;
        }
        if (n + 1 < rows) {
          sum[n + 1] += here * invhy2;
        }
      }
      if (inTile) {
        sum[n] += u[pos + n * nx + 1] * invhx2;
      }
    }

    #pragma unroll
    for (int n = 0; n < TILE_Y; ++n) {
      if (n < rows) {
        sum[n] += u[pos + n * nx + slice] * invhz2;
        f[pos + n * nx] = sum[n];
      }
    }
  }
}
