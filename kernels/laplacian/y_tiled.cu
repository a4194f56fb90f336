/* haloscope
title: Several rows per thread
book: AMD lab notes on the Laplacian, part 2
idea: A thread loops along y and keeps the previous and next rows in registers, so each further point needs five loads instead of seven.
extends: laplacian/basic
order: 2
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
op_per_byte: 10 * TILE_Y / ((5 * TILE_Y + 2) * 8)
*/
#ifndef TILE_Y
#define TILE_Y 4
#endif

__global__ void laplacian(const double* u, double* f, int nx, int ny, int nz,
                          double invhx2, double invhy2, double invhz2, double invhxyz2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int jStart = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_Y + 1;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  int jEnd = min(jStart + TILE_Y, ny - 1);

  if (i >= 1 && i < nx - 1 && jStart < jEnd && k >= 1 && k < nz - 1) {
    int slice = nx * ny;
    int pos = k * slice + jStart * nx + i;
    double before = u[pos - nx];
    double here = u[pos];
    for (int j = jStart; j < jEnd; ++j) {
      double after = u[pos + nx];
      f[pos] = here * invhxyz2
             + (u[pos - 1] + u[pos + 1]) * invhx2
             + (before + after) * invhy2
             + (u[pos - slice] + u[pos + slice]) * invhz2;
      before = here;
      here = after;
      pos += nx;
    }
  }
}
