// threadIdx.x is unsigned: at thread 0 the difference is the largest number, and int N is compared as unsigned.
__global__ void kernel(float* out, int N) {
  if (threadIdx.x - 1 < N) {
    out[threadIdx.x - 1] = 1.0f;
  }
  int i = threadIdx.x;
  if (i - 1 < N) {
    out[i - 1] = 2.0f;
  }
}
