// Two harmless sides are a Select; a load or a counted operation runs only in the lanes that asked for it.
__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  int left = i > 0 ? i - 1 : 0;
  float ghost = i < n ? in[i] : 0.0f;
  out[left] = i > 2 ? ghost * 2.0f : ghost;
}
