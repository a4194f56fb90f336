/* haloscope
title: Tile with halo, block as large as the output tile
book: PMPP 4e, section 7.4
order: 4
task: >-
  Every thread computes an output. The input tile is larger than the block, so the threads load it together, in several
  rounds.
sizes:
  width: {default: 40, min: 1, max: 1024, meaning: image columns}
  height: {default: 28, min: 1, max: 1024, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  OUT_TILE_DIM: {default: 16, min: 1, max: 32, meaning: edge of the output tile}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / OUT_TILE_DIM), ceil(height / OUT_TILE_DIM), 1]
  block: [OUT_TILE_DIM, OUT_TILE_DIM, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
make:
  rung: convolution/tiled_output_block
  lesson: thread-organisations
  sketch: >-
    Think of the block as a stamp of OUT_TILE_DIM × OUT_TILE_DIM that is put down next to itself until the input tile is
    covered. What sticks out of the input tile loads nothing. After that, all threads compute.
  drawing: |
    1 1 1 1 1 1 | 2 2
    1 1 1 1 1 1 | 2 2      1: loaded with the first stamp
    1 1 1 1 1 1 | 2 2      2: with the second, which sticks out to the right
    1 1 1 1 1 1 | 2 2      3, 4: with those below
    ------------+----
    3 3 3 3 3 3 | 4 4
    3 3 3 3 3 3 | 4 4
  outline:
    - An array in shared memory, as large as the input tile.
    - The image row and column at which the input tile begins, FILTER_RADIUS before the output tile.
    - Two loops over the tile, which begin at this thread's place and step by the block's extent.
    - In them, load the pixel at that place of the tile, or zero where it is beyond the image.
    - Wait until the whole block has loaded.
    - If this thread's output is in the image, add up the products from the tile, and store the sum.
  hints:
    race-shared: >-
      Part of the tile was loaded by other threads. What makes a thread wait until they have?
    out-of-bounds: >-
      The loops go over the input tile, IN_TILE_DIM along each axis; whether a pixel is in the image is another question.
    uninitialized: >-
      Are the right and the lower part of the tile loaded, and are there zeros beyond the image? A condition around the
      first load alone leaves them empty.
    wrong-result: >-
      The input tile begins at blockIdx * OUT_TILE_DIM - FILTER_RADIUS; the output of a thread is at blockIdx *
      OUT_TILE_DIM + threadIdx.
  goals:
    - reach: stores == width * height
      says: stores to out
      hint: Each output is stored once, by one thread. Does a thread outside the output tile store as well?
    - reach: block.loads_per_output <= (OUT_TILE_DIM + 2 * FILTER_RADIUS)^2 / OUT_TILE_DIM^2
      says: elements that an interior block loads for each output
      hint: Each pixel of the tile is loaded once; after the barrier, read the tile alone.
    - reach: block.idle == 0
      says: threads of an interior block that write no output
      hint: The block is as large as the output tile, so each of its threads has an output.
    - reach: block.barriers == 1
      says: barriers of a block
    - reach: block.shared_bytes <= 4 * (OUT_TILE_DIM + 2 * FILTER_RADIUS)^2
      says: bytes of shared memory of a block
    - reach: sectors.load / requests.load <= 5
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef OUT_TILE_DIM
#define OUT_TILE_DIM 16
#endif
#define IN_TILE_DIM (OUT_TILE_DIM + 2 * FILTER_RADIUS)

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

// The launch: blocks of OUT_TILE_DIM × OUT_TILE_DIM threads, as many as cover the image.
//   convolution<<<dim3(ceil(width / OUT_TILE_DIM), ceil(height / OUT_TILE_DIM)), dim3(OUT_TILE_DIM, OUT_TILE_DIM)>>>(in, out, width, height);
// in and out have height rows of width elements each.

__global__ void convolution(const float* in, float* out, int width, int height) {
  // Your lines.
}
