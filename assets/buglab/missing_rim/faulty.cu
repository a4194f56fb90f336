/* haloscope
title: Strange colours on the rim
task: >-
  The rim of the filtered image has wrong colours, and sometimes the launch fails. Find out what the kernel reads there.
hint: >-
  Which points does the filter cover when it is centred on a corner of the image?
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
        int inRow = outRow - radius + filterRow;
        int inCol = outCol - radius + filterCol;
        sum += filter[filterRow * (2 * radius + 1) + filterCol] * in[inRow * width + inCol];
      }
    }
    out[outRow * width + outCol] = sum;
  }
}
