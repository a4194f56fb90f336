/* haloscope
title: One barrier for each plane
book: beyond the book; extends section 8.5
order: 10
task: >-
  Register tiling waits twice in each plane. Make one barrier suffice: let the planes take turns in two places of shared
  memory.
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
  above: stencil/register_tiled
  lesson: register-tiling
  sketch: >-
    The second barrier keeps a fast thread from overwriting a value that a slow one still reads. If the next plane goes
    to another place, it overwrites nothing that is being read: the place is free again one barrier later.
  drawing: |
    plane     written to     read from
    i         place 0        place 0
    i + 1     place 1        place 1
    i + 2     place 0        place 0

    a barrier between writing and reading,
    which also ends the reading of the plane before
  outline:
    - Two planes in shared memory, in_s[2][IN_TILE_DIM][IN_TILE_DIM], and three variables for this thread's column.
    - The first plane of this block, iStart, and the j and k of this thread; load the values of iStart - 1 and iStart.
    - Loop over the OUT_TILE_DIM planes, and put the current value into place i % 2.
    - Load the next value, then wait.
    - Inner threads add up three values of their own and four of the plane in place i % 2, and store the sum.
    - Pass the three values on, without another wait.
  hints:
    race-shared: >-
      A place is written again two planes later. Is there a barrier between the last read of plane i and the write of
      plane i + 2, and does every plane have a place of its own in turn?
    divergent-barrier: >-
      All threads go through the same turns of the loop; the conditions belong inside, around loads and stores.
    uninitialized: >-
      A variable that was not loaded must not reach an output. Test i, j and k before the sum is stored.
    wrong-result: >-
      Write and read must agree about the place of plane i.
  goals:
    - reach: stores == (N - 2)^3
      says: stores to out
      hint: >-
        Each inner point is stored once, by one thread, and points at the boundary are not stored. Does the loop over
        the planes go one too far?
    - reach: block.barriers / block.planes <= 1.2
      says: barriers for each plane
      hint: With two places, the barrier of the next plane protects what this one reads.
    - reach: block.shared_bytes <= 2 * 4 * IN_TILE_DIM^2
      says: bytes of shared memory of a block
    - reach: block.loads_per_output <= 2.4
      says: elements that an interior block loads for each output
      hint: A value is loaded once, as the next one, and passed on.
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
