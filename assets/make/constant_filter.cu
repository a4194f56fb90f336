/* haloscope
title: Filter in constant memory
book: PMPP 4e, section 7.3
order: 2
task: >-
  Write the convolution again, with the filter in constant memory. All threads of a warp read the same filter element at
  a time, and one broadcast serves them.
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
  rung: convolution/constant
  lesson: constant-memory
  sketch: >-
    The loops are those of the basic convolution. The filter is no parameter any more: the kernel reads the array that
    is declared above it, and the loops go over the filter in the same order in all threads.
  drawing: |
    constant memory        filter[0][0]
                                |
                   one read serves the whole warp
                    /    /    |    \    \
    lanes          0    1    2   ...   31

    each lane multiplies it by a pixel of its own
  outline:
    - The row and the column of this thread's output.
    - Threads beyond the image have no output.
    - For each row and each column of the filter, in the same order in all threads, the pixel under it.
    - If the pixel is in the image, add the product of filter[row][column] and the pixel.
    - Store the sum.
  hints:
    out-of-bounds: >-
      Test the pixel under each filter element along both axes before it is read; the output needs a test of its own.
    wrong-result: >-
      filter[0][0] covers the pixel that is FILTER_RADIUS rows above and FILTER_RADIUS columns to the left of the output.
  goals:
    - reach: stores == width * height
      says: stores to out
      hint: Each output is stored once, by one thread, after the loops.
    - reach: block.loads_per_output <= (2 * FILTER_RADIUS + 1)^2
      says: elements that an interior block loads from global memory for each output
      hint: Only pixels come from global memory now. Is a pixel read twice, or the output read as well?
    - reach: constant.passes == constant.accesses
      says: passes of the constant cache for its requests
      hint: >-
        Lanes that read different filter elements at a time are served one after the other. The index must not depend on
        the thread.
    - reach: sectors.load / requests.load <= 5
      says: sectors for each load request of a warp
      hint: Let neighbouring threads read neighbouring elements, so that threadIdx.x counts along a row.
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif

__constant__ float filter[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

// The launch: blocks of BLOCK_X × BLOCK_Y threads, as many as cover the image.
//   convolution<<<dim3(ceil(width / BLOCK_X), ceil(height / BLOCK_Y)), dim3(BLOCK_X, BLOCK_Y)>>>(in, out, width, height);
// in and out have height rows of width elements each.

__global__ void convolution(const float* in, float* out, int width, int height) {
  // Your lines.
}
