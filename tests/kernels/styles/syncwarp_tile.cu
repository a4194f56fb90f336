// Every warp has a tile of its own, so it need not wait for the others.
__global__ void conv_warp_tile(const float* in, const float* filter, float* out, int n) {
  __shared__ float tile[4][34];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int i = blockIdx.x * 128 + threadIdx.x;
  tile[warp][lane + 1] = i < n ? in[i] : 0.0f;
  if (lane == 0) tile[warp][0] = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
  if (lane == 31) tile[warp][33] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncwarp();
  if (i < n) out[i] = filter[0] * tile[warp][lane] + filter[1] * tile[warp][lane + 1] + filter[2] * tile[warp][lane + 2];
}
int main() { int n = 1000; conv_warp_tile<<<(n + 127) / 128, 128>>>(0, 0, 0, n); }
// expects: conv_warp_tile matches
