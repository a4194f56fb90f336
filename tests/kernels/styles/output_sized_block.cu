#define R 1
#define OUT 16
#define IN (OUT + 2 * R)
__constant__ float F[2 * R + 1][2 * R + 1];
__global__ void conv_two_loads(const float* in, float* out, int width, int height) {
  __shared__ float s[IN][IN];
  const int x0 = blockIdx.x * OUT - R, y0 = blockIdx.y * OUT - R;
  for (int t = threadIdx.y * OUT + threadIdx.x; t < IN * IN; t += OUT * OUT) {
    int y = y0 + t / IN, x = x0 + t % IN;
    s[t / IN][t % IN] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * OUT + threadIdx.x, y = blockIdx.y * OUT + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0.0f;
    for (int i = 0; i < 2 * R + 1; ++i)
      for (int j = 0; j < 2 * R + 1; ++j) sum += F[i][j] * s[threadIdx.y + i][threadIdx.x + j];
    out[y * width + x] = sum;
  }
}
// expects: conv_two_loads matches 3000
