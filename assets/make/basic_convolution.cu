/* haloscope
title: Basic convolution
book: PMPP 4e, section 7.2
order: 1
task: >-
  Write the convolution with one thread for each output. Image and filter are both in global memory, and a pixel beyond
  the image counts as zero.
sizes:
  width: {default: 40, min: 1, max: 1024, meaning: image columns}
  height: {default: 28, min: 1, max: 1024, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 5, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 16, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 16, min: 1, max: 64, meaning: threads per block along y}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
arguments:
  radius: FILTER_RADIUS
launch:
  grid: [ceil(width / BLOCK_X), ceil(height / BLOCK_Y), 1]
  block: [BLOCK_X, BLOCK_Y, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
make:
  rung: convolution/basic
  lesson: one-thread-per-output
  sketch: >-
    Lay the filter over the output so that its centre covers it. Multiply each filter element by the pixel under it, and
    add the products. Filter elements that stick out over the edge of the image add nothing.
  drawing: |
    . . . . . . .          filter 3 × 3
    . a b c . . .          f0 f1 f2
    . d X e . . .          f3 f4 f5       X = f0 a + f1 b + f2 c
    . f g h . . .          f6 f7 f8         + f3 d + f4 x + f5 e
    . . . . . . .                           + f6 f + f7 g + f8 h
  outline:
    - The row and the column of this thread's output, from its block and its place in the block.
    - Threads beyond the image have no output.
    - A sum that begins at zero.
    - For each row and each column of the filter, the pixel under that filter element.
    - If that pixel is in the image, add the product to the sum.
    - Store the sum at the output's place.
  hints:
    out-of-bounds: >-
      Both the output and the pixel under a filter element can lie beyond the image: below zero, or at width or height
      and beyond. Each needs a test of its own, along both axes.
    wrong-result: >-
      The filter element in the first row and column covers the pixel that is radius rows above and radius columns to the
      left of the output.
    unwritten-output: >-
      Pixels at the edge have outputs, too. Test the pixel under each filter element, and not whether the whole filter
      fits.
  goals:
    - reach: block.loads_per_output <= 2 * (2 * FILTER_RADIUS + 1)^2
      says: elements that an interior block loads for each output
      hint: >-
        A pixel and a filter element for each product are enough; keep the sum in a variable and not in out.
    - reach: stores == outputs
      says: stores to out
      hint: Add up in a variable, and store once, after the loops.
    - reach: sectors.load / requests.load <= 4
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
// The launch: blocks of BLOCK_X × BLOCK_Y threads, as many as cover the image.
//   convolution<<<dim3(ceil(width / BLOCK_X), ceil(height / BLOCK_Y)), dim3(BLOCK_X, BLOCK_Y)>>>(in, filter, out, radius, width, height);
// in and out have height rows of width elements each, filter has 2 * radius + 1 rows of 2 * radius + 1.

__global__ void convolution(const float* in, const float* filter, float* out, int radius, int width, int height) {
  // Your lines.
}
