/* haloscope
title: Everything is dark
task: >-
  The mean of three points should be a smoother version of the line, but is zero everywhere. Find out why.
hint: >-
  Work out the weight by hand, one operation at a time, with the type of each.
sizes:
  N: {default: 100, min: 3, max: 1048576, meaning: points on the line}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 32), 1, 1]
  block: [32, 1, 1]
*/
__global__ void mean(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float weight = 1.0f / 3.0f;

  if (i < N) {
    float left = i >= 1 ? in[i - 1] : 0.0f;
    float right = i + 1 < N ? in[i + 1] : 0.0f;
    out[i] = weight * (left + in[i] + right);
  }
}
