/* haloscope
title: A stencil written as a filter
book: PMPP 4e, section 8.1 compared with section 7.3
idea: The 7-point sweep as a 3×3×3 filter; 20 of its 27 elements are zero, wasting 20 loads and 20 multiplications per point.
order: 41
sizes:
  N: {default: 24, min: 1, max: 1024, meaning: grid points along each axis}
tunables:
  BLOCK_X: {default: 8, min: 1, max: 256, meaning: threads per block along x}
  BLOCK_Y: {default: 4, min: 1, max: 64, meaning: threads per block along y}
  BLOCK_Z: {default: 4, min: 1, max: 64, meaning: threads per block along z}
arrays:
  in: {shape: [N, N, N]}
  out: {shape: [N, N, N]}
launch:
  grid: [ceil(N / BLOCK_X), ceil(N / BLOCK_Y), ceil(N / BLOCK_Z)]
  block: [BLOCK_X, BLOCK_Y, BLOCK_Z]
computes:
  output: out
  input: in
  weights: [0.34375, 0.0625, 0.078125, 0.09375, 0.125, 0.140625, 0.15625]
  taps: [[0, 0, 0], [0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
  border: keeps its value
op_per_byte: 2 / 4
*/
__constant__ float filter[3][3][3] = {
    {{0.0f, 0.0f, 0.0f}, {0.0f, 0.140625f, 0.0f}, {0.0f, 0.0f, 0.0f}},
    {{0.0f, 0.09375f, 0.0f}, {0.0625f, 0.34375f, 0.078125f}, {0.0f, 0.125f, 0.0f}},
    {{0.0f, 0.0f, 0.0f}, {0.0f, 0.15625f, 0.0f}, {0.0f, 0.0f, 0.0f}},
};

__global__ void convolution(const float* in, float* out, int N) {
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    float sum = 0.0f;
    for (int filterPlane = 0; filterPlane < 3; ++filterPlane) {
      for (int filterRow = 0; filterRow < 3; ++filterRow) {
        for (int filterCol = 0; filterCol < 3; ++filterCol) {
          sum += filter[filterPlane][filterRow][filterCol] *
                 in[((i - 1 + filterPlane) * N + j - 1 + filterRow) * N + k - 1 + filterCol];
        }
      }
    }
    out[(i * N + j) * N + k] = sum;
  }
}
