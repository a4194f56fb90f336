/* haloscope
title: Laplacian in double precision
book: AMD lab notes on the Laplacian, part 1
order: 11
task: >-
  Write the 7-point Laplacian of u on a grid whose spacing differs from axis to axis. One thread computes one point; a
  block is a part of a row.
sizes:
  nx: {default: 70, min: 3, max: 1024, meaning: grid points along x}
  ny: {default: 12, min: 3, max: 1024, meaning: grid points along y}
  nz: {default: 7, min: 3, max: 1024, meaning: grid points along z}
tunables:
  BLOCK_X: {default: 64, min: 1, max: 1024, meaning: threads per block along x}
  SPACING_X: {default: 4, min: 1, max: 64, meaning: distance of neighbouring points along x}
  SPACING_Y: {default: 8, min: 1, max: 64, meaning: the same along y}
  SPACING_Z: {default: 16, min: 1, max: 64, meaning: the same along z}
arrays:
  u: {shape: [nz, ny, nx]}
  f: {shape: [nz, ny, nx]}
arguments:
  invhx2: 1 / SPACING_X^2
  invhy2: 1 / SPACING_Y^2
  invhz2: 1 / SPACING_Z^2
  invhxyz2: -2 * (1 / SPACING_X^2 + 1 / SPACING_Y^2 + 1 / SPACING_Z^2)
launch:
  grid: [ceil(nx / BLOCK_X), ny, nz]
  block: [BLOCK_X, 1, 1]
computes:
  output: f
  input: u
  weights: [invhxyz2, invhx2, invhx2, invhy2, invhy2, invhz2, invhz2]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
make:
  rung: laplacian/basic
  lesson: laplacian
  sketch: >-
    Along each axis the second derivative is (before - 2 here + after) / h². The three of them share the value here, so
    its coefficient is the sum of the three, which is what invhxyz2 holds.
  drawing: |
    f(x) = (u(x-h) - 2 u(x) + u(x+h)) / h²
    along each axis, added up

    pos + 1, pos + nx, pos + nx * ny
    one point further along x, y, z
  outline:
    - The point (i, j, k) of this thread, with i along x.
    - Only points with all six neighbours in the grid are computed.
    - The place of the point in the array, (k * ny + j) * nx + i.
    - The point times invhxyz2, and for each axis the sum of its two neighbours times that axis's factor.
    - Store the sum.
  hints:
    out-of-bounds: >-
      A point on the boundary lacks a neighbour. Test all three axes, each against its own size.
    wrong-result: >-
      A neighbour along y is nx elements away, along z it is nx * ny. Which factor belongs to which axis?
    race-global: >-
      Read u and write f: no thread may read what another one writes.
  goals:
    - reach: stores == (nx - 2) * (ny - 2) * (nz - 2)
      says: stores to f
      hint: Each inner point is stored once, by one thread, and points at the boundary are not stored.
    - reach: block.loads_per_output <= 7
      says: elements that an interior block loads for each output
      hint: Seven values for each point are enough. Is one of them read twice?
    - reach: block.flops / block.outputs <= 10
      says: floating-point operations for each output
      hint: Add the two neighbours of an axis before you multiply.
    - reach: sectors.load / requests.load <= 9
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements. i, from threadIdx.x, is the axis that is contiguous.
*/
// The launch: a block for each part of BLOCK_X points of a row.
//   laplacian<<<dim3(ceil(nx / BLOCK_X), ny, nz), dim3(BLOCK_X)>>>(u, f, nx, ny, nz, invhx2, invhy2, invhz2, invhxyz2);
// u and f have nz planes of ny rows of nx points: u[(k * ny + j) * nx + i] is the point (i, j, k).
// invhx2 is 1 / hx², and so on; invhxyz2 is -2 (1 / hx² + 1 / hy² + 1 / hz²).

__global__ void laplacian(const double* u, double* f, int nx, int ny, int nz, double invhx2, double invhy2,
                          double invhz2, double invhxyz2) {
  // Your lines.
}
