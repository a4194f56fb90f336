/* haloscope
title: Thread coarsening
book: PMPP 4e, section 8.4
order: 8
task: >-
  A flat block moves through the grid plane by plane and writes OUT_TILE_DIM planes of outputs. Three planes of its tile
  are in shared memory at a time: the previous, the current and the next one.
sizes:
  N: {default: 20, min: 3, max: 256, meaning: grid points along each axis}
tunables:
  IN_TILE_DIM: {default: 8, min: 3, max: 32, meaning: edge of the input tile}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
  c: {shape: [7]}
launch:
  grid: [ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2)), ceil(N / (IN_TILE_DIM - 2))]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
make:
  rung: stencil/coarsened
  lesson: coarsening
  sketch: >-
    Before the loop the block loads the plane before its first one and the first one itself. In each turn it loads the
    next plane, computes the current one from all three, and passes the planes on: the current becomes the previous, the
    next becomes the current.
  drawing: |
    turn          previous   current   next
    i = iStart    i-1        i         i+1
    i + 1         i          i+1       i+2
    i + 2         i+1        i+2       i+3

    in each turn: load next, wait, compute, wait, pass on
  outline:
    - Three arrays in shared memory, each as large as a plane of the input tile.
    - The first plane of this block, iStart, and the j and k of this thread, one before the output tile at the tile's beginning.
    - Load the planes iStart - 1 and iStart, where they are in the grid.
    - Loop over the OUT_TILE_DIM planes from iStart on.
    - In it, load the next plane, then wait until the whole block has.
    - Inner threads add up the seven products of the three planes and store the sum, if the point has all its neighbours.
    - Wait until the whole block has computed, then pass the planes on.
  hints:
    race-shared: >-
      Two waits are needed in each turn. One before the current plane is read by other threads, and one before it is
      overwritten.
    divergent-barrier: >-
      All threads go through the same turns of the loop; the conditions belong inside, around loads and stores.
    out-of-bounds: >-
      The plane i - 1 is missing for the first block along z, and i + 1 for the last one; j and k can be beyond the grid
      in every plane.
    uninitialized: >-
      Which plane has not been loaded when it is passed on? Nothing of a plane beyond the grid may reach an output.
    wrong-result: >-
      c[5] belongs to the previous plane and c[6] to the next one. In which order are the planes passed on?
    unwritten-output: >-
      A block writes OUT_TILE_DIM planes, from blockIdx.z * OUT_TILE_DIM on.
  goals:
    - reach: stores == (N - 2)^3
      says: stores to out
      hint: >-
        Each inner point is stored once, by one thread, and points at the boundary are not stored. Does the loop over
        the planes go one too far?
    - reach: block.loads_per_output <= 2.4
      says: elements that an interior block loads for each output
      hint: A plane is loaded once and passed on; it is not loaded again as the current and the previous one.
    - reach: block.shared_bytes <= 3 * 4 * IN_TILE_DIM^2
      says: bytes of shared memory of a block
      hint: Three planes are enough.
    - reach: block.barriers / block.planes <= 2.2
      says: barriers for each plane
    - reach: bank_conflicts == 0
      says: extra passes because of bank conflicts
      hint: Let threadIdx.x be the last index of the tile, so that a warp reads neighbouring elements.
    - reach: sectors.load / requests.load <= 7
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__constant__ float c[7];

// The launch: flat blocks of IN_TILE_DIM × IN_TILE_DIM threads, one for each output tile of OUT_TILE_DIM³ points.
//   int tiles = ceil(N / OUT_TILE_DIM);
//   stencil<<<dim3(tiles, tiles, tiles), dim3(IN_TILE_DIM, IN_TILE_DIM, 1)>>>(in, out, N);
// in and out have N × N × N points: in[i][j][k] is in[(i * N + j) * N + k].

__global__ void stencil(const float* in, float* out, int N) {
  // Your lines.
}
