/* haloscope
title: The image has moved
task: >-
  The filtered image is correct, but shifted by one pixel up and to the left. Find the mistake.
hint: >-
  Which tap of the filter should coincide with the output point?
sizes:
  width: {default: 40, min: 1, max: 4096, meaning: image columns}
  height: {default: 24, min: 1, max: 4096, meaning: image rows}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 3, meaning: filter elements on each side of the centre}
arrays:
  in: {shape: [height, width]}
  out: {shape: [height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
arguments:
  radius: FILTER_RADIUS
launch:
  grid: [ceil(width / 16), ceil(height / 8), 1]
  block: [16, 8, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
*/
__global__ void convolution(const float* in, const float* filter, float* out, int radius,
                            int width, int height) {
  int outRow = blockIdx.y * blockDim.y + threadIdx.y;
  int outCol = blockIdx.x * blockDim.x + threadIdx.x;

  if (outRow < height && outCol < width) {
    float sum = 0.0f;
    for (int filterRow = 0; filterRow < 2 * radius + 1; ++filterRow) {
      for (int filterCol = 0; filterCol < 2 * radius + 1; ++filterCol) {
        int inRow = outRow + filterRow;
        int inCol = outCol + filterCol;
        if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
          sum += filter[filterRow * (2 * radius + 1) + filterCol] * in[inRow * width + inCol];
        }
      }
    }
    out[outRow * width + outCol] = sum;
  }
}
