/* haloscope
title: Tile with halo, block as large as the input tile
book: PMPP 4e, section 7.4
order: 3
task: >-
  Load the input tile with its halo into shared memory, one element by each thread, and compute the outputs from it. The
  threads on the rim load and write no output.
sizes:
  width: {default: 40, min: 1, max: 1024, meaning: image columns}
  height: {default: 28, min: 1, max: 1024, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  IN_TILE_DIM: {default: 16, min: 3, max: 32, meaning: edge of the input tile}
requires: [IN_TILE_DIM > 2 * FILTER_RADIUS]
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (IN_TILE_DIM - 2 * FILTER_RADIUS)), ceil(height / (IN_TILE_DIM - 2 * FILTER_RADIUS)), 1]
  block: [IN_TILE_DIM, IN_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
make:
  rung: convolution/tiled_input_block
  lesson: thread-organisations
  sketch: >-
    A thread's place in the block is its place in the input tile. The input tile begins FILTER_RADIUS before the output
    tile, along both axes. After the tile is complete, the threads of the inner part write one output each.
  drawing: |
    h h h h h h h h     h: halo, loaded by the rim threads,
    h o o o o o o h        which write nothing
    h o o o o o o h     o: output tile, loaded and computed
    h o o o o o o h        by the inner threads
    h h h h h h h h
  outline:
    - An array in shared memory, as large as the input tile.
    - The row and the column of the pixel that this thread loads, FILTER_RADIUS before the output tile at the tile's beginning.
    - Load the pixel, or zero where it is beyond the image.
    - Wait until the whole block has loaded.
    - Only threads inside the output tile whose pixel is in the image go on.
    - Add up the products of the filter and the tile around this thread's place, and store the sum.
  hints:
    race-shared: >-
      A thread reads elements that other threads have loaded. What makes it wait until they have?
    divergent-barrier: >-
      The rim threads write no output, but they have to reach the barrier. Put the barrier before the condition.
    out-of-bounds: >-
      Two conditions are different: a pixel beyond the image must not be loaded, and a thread on the rim must not read
      beyond the tile.
    uninitialized: >-
      Beyond the image the tile needs zeros: the filter multiplies those elements, too.
    wrong-result: >-
      The pixel of a thread is blockIdx * OUT_TILE_DIM + threadIdx - FILTER_RADIUS along each axis.
  goals:
    - reach: stores == width * height
      says: stores to out
      hint: Each output is stored once, by one thread. Does a thread outside the output tile store as well?
    - reach: block.loads_per_output <= IN_TILE_DIM^2 / (IN_TILE_DIM - 2 * FILTER_RADIUS)^2
      says: elements that an interior block loads for each output
      hint: Each pixel of the tile is loaded once; after the barrier, read the tile alone.
    - reach: block.barriers == 1
      says: barriers of a block
    - reach: bank_conflicts == 0
      says: extra passes because of bank conflicts
      hint: Let threadIdx.x be the last index of the tile, so that a warp reads neighbouring elements.
    - reach: block.shared_bytes <= 4 * IN_TILE_DIM^2
      says: bytes of shared memory of a block
    - reach: sectors.load / requests.load <= 5
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 16
#endif
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * FILTER_RADIUS)

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

// The launch: blocks of IN_TILE_DIM × IN_TILE_DIM threads, one block for each output tile of OUT_TILE_DIM × OUT_TILE_DIM.
//   convolution<<<dim3(ceil(width / OUT_TILE_DIM), ceil(height / OUT_TILE_DIM)), dim3(IN_TILE_DIM, IN_TILE_DIM)>>>(in, out, width, height);
// in and out have height rows of width elements each.

__global__ void convolution(const float* in, float* out, int width, int height) {
  // Your lines.
}
