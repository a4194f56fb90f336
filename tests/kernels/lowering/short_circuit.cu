// What can be seen of the right side decides: a load must not happen in lanes that the left side ruled out.
__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i >= 1 && i < n) out[i] = 1.0f;
  if (i < n && in[i] > 0.0f) out[i] = 2.0f;
  if (i >= n || in[i] > 0.0f) out[0] = 3.0f;
}
