// An address or index that a statement writes twice is computed once; floating-point operations as often as written.
__global__ void kernel(const float* in, float* out, int n) {
  __shared__ float tile_s[8][8];
  int i = threadIdx.x;
  int j = threadIdx.y;
  out[i * n + j] = tile_s[j][i - 1] * in[i * n + j] + tile_s[j][i + 1] * in[i * n + j];
}
