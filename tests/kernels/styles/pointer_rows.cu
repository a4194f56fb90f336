const int W = 64;
__global__ void rows(const float (*in)[W], float (*out)[W]) {
  int x = threadIdx.x + blockIdx.x * 32, y = threadIdx.y + blockIdx.y * 8;
  if (x > 0 && x < W - 1 && y < 32) out[y][x] = 0.25f * in[y][x - 1] + 0.5f * in[y][x] + 0.25f * in[y][x + 1];
}
int main() {
  float (*a)[W], (*b)[W];
  cudaMalloc(&a, 32 * W * sizeof(float));
  cudaMalloc(&b, 32 * W * sizeof(float));
  rows<<<dim3(2, 4), dim3(32, 8)>>>(a, b);
}
// expects: rows clean 1984
