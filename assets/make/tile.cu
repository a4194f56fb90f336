/* haloscope
title: Sweep from a tile in shared memory
book: PMPP 4e, section 8.3
order: 7
task: >-
  Load the block's input tile into shared memory once, and read all neighbours from there. The block is as large as the
  input tile.
sizes:
  N: {default: 20, min: 3, max: 256, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 10, meaning: edge of the input tile}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, IN_TILE_DIM]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
make:
  rung: stencil/tiled
  lesson: stencil-tile
  sketch: >-
    The input tile is one point larger than the output tile on each side. Every thread loads one point of it; after all
    have loaded, the inner threads compute one output each, and read nothing but the tile.
  drawing: |
    one plane of the tile, IN_TILE_DIM = 8
    h h h h h h h h
    h o o o o o o h        h: halo, loaded only
    h o o o o o o h        o: loaded, and computed by the same thread
      . . .
    h h h h h h h h
  outline:
    - An array of three axes in shared memory, as large as the input tile.
    - The point (i, j, k) of this thread, one before the output tile at the tile's beginning.
    - Load the point if it is in the grid.
    - Wait until the whole block has loaded.
    - Only threads inside the output tile, whose point has all its neighbours in the grid, go on.
    - Add up the seven products from the tile and store the sum.
  hints:
    race-shared: >-
      Six of the seven values were loaded by other threads. What makes a thread wait until they have?
    divergent-barrier: >-
      Halo threads and threads beyond the grid write nothing, but they have to reach the barrier.
    out-of-bounds: >-
      Three conditions are different: the point is in the grid (it may be loaded), it is inside the output tile (its
      neighbours are in the tile), it is inside the grid's boundary (it has all its neighbours).
    uninitialized: >-
      A thread reads an element of the tile that no thread has loaded. Is its point on the boundary of the grid, or
      outside of the output tile?
    wrong-result: >-
      The point of a thread is blockIdx * OUT_TILE_DIM + threadIdx - 1 along each axis.
  goals:
    - reach: stores == (N - 2)^3
      says: stores to out
      hint: Each inner point is stored once, by one thread, and points at the boundary are not stored.
    - reach: block.loads_per_output <= 2.4
      says: elements that an interior block loads for each output
      hint: Each point of the tile is loaded once; after the barrier, read the tile alone.
    - reach: bank_conflicts == 0
      says: extra passes because of bank conflicts
      hint: Let threadIdx.x be the last index of the tile, so that a warp reads neighbouring elements.
    - reach: block.barriers == 1
      says: barriers of a block
    - reach: block.shared_bytes <= 4 * IN_TILE_DIM^3
      says: bytes of shared memory of a block
    - reach: sectors.load / requests.load <= 7
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ float c[7];

// The launch: blocks of IN_TILE_DIM³ threads, one block for each output tile of OUT_TILE_DIM³ points.
//   int tiles = ceil(N / OUT_TILE_DIM);
//   stencil<<<dim3(tiles, tiles, tiles), dim3(IN_TILE_DIM, IN_TILE_DIM, IN_TILE_DIM)>>>(in, out, N);
// in and out have N × N × N points: in[i][j][k] is in[(i * N + j) * N + k].

__global__ void stencil(const float* in, float* out, int N) {
  // Your lines.
}
