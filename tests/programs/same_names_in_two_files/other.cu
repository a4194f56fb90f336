static __constant__ float filter[3];

static __global__ void apply(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = filter[2] * in[i] - filter[0] * in[i - 1];
}

float other(const float* in, float* out, int n) {
  const float values[3] = {1, 0, 4};
  float result;
  cudaMemcpyToSymbol(filter, values, sizeof values);
  apply<<<1, n>>>(in, out, n);
  cudaMemcpy(&result, out + 5, sizeof result, cudaMemcpyDeviceToHost);
  return result;
}
