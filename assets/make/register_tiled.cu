/* haloscope
title: Register tiling
book: PMPP 4e, section 8.5
order: 9
task: >-
  Other threads read only the current plane. Keep the previous and the next value in registers of the thread, and only
  the current plane in shared memory.
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
  rung: stencil/register_tiled
  lesson: register-tiling
  sketch: >-
    The march through the planes is that of the coarsened kernel. The values before and after a point are the thread's
    own: it loaded them itself, and no other thread reads them. They need no place in shared memory.
  drawing: |
    registers of a thread      shared memory, for the whole block
    inPrev    [i-1]
    inCurr    [i]    ------>   one plane: the neighbours
    inNext    [i+1]            along j and k
  outline:
    - One array in shared memory, as large as a plane of the input tile; three variables for this thread's column.
    - The first plane of this block, iStart, and the j and k of this thread.
    - Load the values of the planes iStart - 1 and iStart; put that of iStart into shared memory, too.
    - Loop over the OUT_TILE_DIM planes from iStart on, and load the next value.
    - Wait until the whole block has put its current values down.
    - Inner threads add up three values of their own and four of the plane, and store the sum.
    - Wait until the whole block has computed, pass the three values on, and put the current one down.
  hints:
    race-shared: >-
      Two waits are needed in each turn. One before other threads' current values are read, and one before the next ones
      are put down.
    divergent-barrier: >-
      All threads go through the same turns of the loop; the conditions belong inside, around loads and stores.
    out-of-bounds: >-
      The plane i - 1 is missing for the first block along z, and i + 1 for the last one; j and k can be beyond the grid
      in every plane.
    uninitialized: >-
      A variable that was not loaded must not reach an output. Test i, j and k before the sum is stored.
    wrong-result: >-
      c[5] belongs to inPrev and c[6] to inNext. In which order are the three values passed on?
  goals:
    - reach: stores == (N - 2)^3
      says: stores to out
      hint: >-
        Each inner point is stored once, by one thread, and points at the boundary are not stored. Does the loop over
        the planes go one too far?
    - reach: block.shared_bytes <= 4 * IN_TILE_DIM^2
      says: bytes of shared memory of a block
      hint: One plane is enough. The other two values are variables of the thread.
    - reach: block.loads_per_output <= 2.4
      says: elements that an interior block loads for each output
      hint: A value is loaded once, as the next one, and passed on.
    - reach: op_per_byte.block >= 1.3
      says: operations for each byte that an interior block loads
    - reach: block.barriers / block.planes <= 2.2
      says: barriers for each plane
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
