// Loops that the compiler is asked to unroll, with and without braces, labels and macros.
#define RADIUS 2
#define UNROLL _Pragma("unroll")
#define STEPS 4
__constant__ float weights[2 * RADIUS + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__global__ void unrolled(const float* in, float* out, int n) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * STEPS;
  float sum[STEPS];
  #pragma unroll
  for (int s = 0; s < STEPS; ++s) sum[s] = 0.0f;
#pragma unroll STEPS
  for (int s = 0; s < STEPS; s++)
    #pragma unroll (2 * RADIUS + 1)
    for (int t = -RADIUS; t <= RADIUS; t++)
      if (base + s + t >= 0 && base + s + t < n)
        sum[s] += weights[t + RADIUS] * in[base + s + t];
  if (n > 8)
    #pragma unroll 1 /* not at all */
    for (int s = 0; s < STEPS; ++s) sum[s] *= 1.0f;
  else
    #pragma nounroll
    for (int s = 0; s < STEPS; ++s) { sum[s] *= 2.0f; }
  int s = 0;
  switch (n & 1) {
    case 0:
      #  pragma   unroll
      for (; s < STEPS; ++s) { sum[s] -= 0.0f; }
      break;
    default:
      #pragma unroll 2
      while (s < STEPS) { sum[s] += 1.0f; ++s; }
  }
  UNROLL for (int k = 0; k < 2; ++k) {
    _Pragma("unroll 2")
    for (int j = 0; j < 2; ++j) {
      if (base + 2 * k + j < n) out[base + 2 * k + j] = sum[2 * k + j];
    }
  }
  s = 0;
  #pragma unroll
  do { sum[s] = 0.0f; } while (++s < STEPS);
}
int main() {
  int n = 250;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  unrolled<<<2, 32>>>(a, b, n);
}
// expects: unrolled clean 250
