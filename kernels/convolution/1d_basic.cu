/* haloscope
title: Basic 1D convolution
book: PMPP 4e, section 7.1, figure 7.2
idea: Each output is the sum of the inputs around it, each multiplied by its filter element.
climb: 1D convolution
order: 11
sizes:
  width: {default: 256, min: 1, max: 67108864, meaning: array elements}
tunables:
  FILTER_RADIUS: {default: 2, min: 1, max: 8, meaning: filter elements on each side of the centre}
  BLOCK_X: {default: 64, min: 1, max: 1024, meaning: threads per block}
arrays:
  in: {shape: [width]}
  out: {shape: [width]}
  filter: {shape: [2 * FILTER_RADIUS + 1]}
arguments:
  radius: FILTER_RADIUS
launch:
  grid: [ceil(width / BLOCK_X), 1, 1]
  block: [BLOCK_X, 1, 1]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: 2 / 8
*/
__global__ void convolution(const float* in, const float* filter, float* out, int radius, int width) {
  int outIndex = blockIdx.x * blockDim.x + threadIdx.x;

  if (outIndex < width) {
    float sum = 0.0f;
    for (int f = 0; f < 2 * radius + 1; ++f) {
      int inIndex = outIndex - radius + f;
      if (inIndex >= 0 && inIndex < width) {
        sum += filter[f] * in[inIndex];
      }
    }
    out[outIndex] = sum;
  }
}
