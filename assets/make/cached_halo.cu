/* haloscope
title: Halo through the cache
book: PMPP 4e, section 7.5
order: 5
task: >-
  Keep only the tile itself in shared memory, without its halo. What a thread needs beyond the tile it reads from global
  memory, where a neighbouring block has had it loaded into the cache.
sizes:
  width: {default: 40, min: 1, max: 1024, meaning: image columns}
  height: {default: 28, min: 1, max: 1024, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  TILE_DIM: {default: 16, min: 1, max: 32, meaning: edge of the tile}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / TILE_DIM), ceil(height / TILE_DIM), 1]
  block: [TILE_DIM, TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
make:
  rung: convolution/cached_halo
  lesson: cached-halo
  sketch: >-
    Block, tile and output tile are of one size. For each product ask two questions: is the pixel in the image, and if it
    is, is it in the tile? Inside the tile read shared memory, outside of it global memory.
  drawing: |
    . . . . . . . .
    . t t t t t t .     t: tile in shared memory,
    . t t t t t t .        one element for each thread
    . t t t t t t .     .: read from global memory,
    . . . . . . . .        usually from the cache
  outline:
    - An array in shared memory, as large as the block.
    - The row and the column of this thread's pixel; load it if it is in the image.
    - Wait until the whole block has loaded.
    - For each filter element, its pixel's place in the image and in the tile.
    - A pixel beyond the image adds nothing; one in the tile is read from there; any other from global memory.
    - If this thread's output is in the image, store the sum.
  hints:
    race-shared: >-
      The neighbours in the tile were loaded by other threads. What makes a thread wait until they have?
    out-of-bounds: >-
      A place in the tile can be below zero, or TILE_DIM and beyond, although the pixel is in the image; and the other way
      round.
    uninitialized: >-
      Elements of the tile beyond the image are never loaded. Ask first whether the pixel is in the image.
    divergent-barrier: >-
      Threads beyond the image have nothing to load, but they have to reach the barrier.
  goals:
    - reach: stores == width * height
      says: stores to out
      hint: Each output is stored once, by one thread. Does a thread outside the output tile store as well?
    - reach: block.shared_bytes <= 4 * TILE_DIM^2
      says: bytes of shared memory of a block
      hint: The tile has no halo here.
    - reach: block.loads_per_output <= 1.75
      says: elements that an interior block loads for each output
      hint: What is in the tile is read from the tile; only what lies beyond it comes from global memory.
    - reach: block.barriers == 1
      says: barriers of a block
    - reach: bank_conflicts == 0
      says: extra passes because of bank conflicts
      hint: Let threadIdx.x be the last index of the tile, so that a warp reads neighbouring elements.
    - reach: sectors.load / requests.load <= 5
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef TILE_DIM
#define TILE_DIM 16
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

// The launch: blocks of TILE_DIM × TILE_DIM threads, as many as cover the image.
//   convolution<<<dim3(ceil(width / TILE_DIM), ceil(height / TILE_DIM)), dim3(TILE_DIM, TILE_DIM)>>>(in, out, width, height);
// in and out have height rows of width elements each.

__global__ void convolution(const float* in, float* out, int width, int height) {
  // Your lines.
}
