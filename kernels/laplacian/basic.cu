/* haloscope
title: Laplacian in double precision
book: AMD lab notes on the Laplacian, part 1
idea: The 7-point Laplacian on a grid with different spacings; i is contiguous in memory, so a 256×1×1 block reads whole rows.
climb: Laplacian
order: 1
sizes:
  nx: {default: 256, min: 1, max: 1024, meaning: grid points along x}
  ny: {default: 18, min: 1, max: 1024, meaning: grid points along y}
  nz: {default: 10, min: 1, max: 1024, meaning: grid points along z}
tunables:
  BLOCK_X: {default: 256, min: 1, max: 1024, meaning: threads per block along x}
  BLOCK_Y: {default: 1, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 1, min: 1, max: 64, meaning: threads per block along z}
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
  grid: [ceil(nx / BLOCK_X), ceil(ny / BLOCK_Y), ceil(nz / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: f
  input: u
  weights: [invhxyz2, invhx2, invhx2, invhy2, invhy2, invhz2, invhz2]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 10 / 56
*/
__global__ void laplacian(const double* u, double* f, int nx, int ny, int nz,
                          double invhx2, double invhy2, double invhz2, double invhxyz2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;

  if (i >= 1 && i < nx - 1 && j >= 1 && j < ny - 1 && k >= 1 && k < nz - 1) {
    int slice = nx * ny;
    int pos = k * slice + j * nx + i;
    f[pos] = u[pos] * invhxyz2
           + (u[pos - 1] + u[pos + 1]) * invhx2
           + (u[pos - nx] + u[pos + nx]) * invhy2
           + (u[pos - slice] + u[pos + slice]) * invhz2;
  }
}
