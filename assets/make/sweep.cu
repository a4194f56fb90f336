/* haloscope
title: Basic sweep
book: PMPP 4e, section 8.2
order: 6
task: >-
  Write one sweep of the 7-point stencil, one thread for each grid point. The points on the boundary of the grid keep
  their value: they are not written.
sizes:
  N: {default: 20, min: 3, max: 256, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 8, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 8, min: 1, max: 64, meaning: threads per block along z}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
make:
  rung: stencil/basic
  lesson: basic-stencil
  sketch: >-
    A point needs itself and its six neighbours, two along each axis, each times its own coefficient. A neighbour along k
    is one element away in memory, along j a row of N, along i a plane of N × N.
  drawing: |2
             [i-1]
               |   [j-1]       out[i][j][k] = c[0] in[i][j][k]
               |  /              + c[1] in[i][j][k-1] + c[2] in[i][j][k+1]
    [k-1] ---- o ---- [k+1]      + c[3] in[i][j-1][k] + c[4] in[i][j+1][k]
            /  |                 + c[5] in[i-1][j][k] + c[6] in[i+1][j][k]
       [j+1]   |
             [i+1]
  outline:
    - The point (i, j, k) of this thread; k goes with x, j with y, i with z.
    - Only points with all six neighbours in the grid are computed.
    - Add up the seven products and store the sum.
  hints:
    out-of-bounds: >-
      A point on the boundary lacks a neighbour. Which i, j and k have one on both sides?
    wrong-result: >-
      c[0] belongs to the point, c[1] and c[2] to k - 1 and k + 1, c[3] and c[4] to j, c[5] and c[6] to i.
    unwritten-output: >-
      From 1 up to and including N - 2 a point has all its neighbours, along each axis.
    race-global: >-
      A sweep reads in and writes out: no thread may read what another one writes.
  goals:
    - reach: stores == (N - 2)^3
      says: stores to out
      hint: Each inner point is stored once, by one thread, and points at the boundary are not stored.
    - reach: block.loads_per_output <= 7
      says: elements that an interior block loads for each output
      hint: Seven values for each point are enough. Is one of them read twice?
    - reach: block.flops / block.outputs <= 13
      says: floating-point operations for each output
      hint: Seven products and six sums are 13 operations.
    - reach: sectors.load / requests.load <= 7
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
__constant__ float c[7];

// The launch: blocks of BLOCK_X × BLOCK_Y × BLOCK_Z threads, as many as cover the grid.
//   stencil<<<dim3(ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)), dim3(BLOCK_X, BLOCK_Y, BLOCK_Z)>>>(in, out, N);
// in and out have N × N × N points: in[i][j][k] is in[(i * N + j) * N + k].

__global__ void stencil(const float* in, float* out, int N) {
  // Your lines.
}
