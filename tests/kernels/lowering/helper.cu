// A helper is inlined at each call: parameters and locals of its own, a frame, its own statements.
__device__ int clampIndex(int i, int n) {
  int last = n - 1;
  return i > last ? last : i;
}

__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  out[i] = in[clampIndex(i + 1, n)];
}
