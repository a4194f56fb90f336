// Neighbours come from the other lanes of the warp; only its edges look into memory.
#define FULL 0xffffffff
__global__ void conv1d_shuffle(const float* in, const float* mask, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % warpSize;
  float here = i < n ? in[i] : 0.0f;
  float left = __shfl_up_sync(FULL, here, 1);
  float right = __shfl_down_sync(FULL, here, 1);
  if (lane == 0) left = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
  if (lane == 31) right = i + 1 < n ? in[i + 1] : 0.0f;
  if (i < n) out[i] = mask[0] * left + mask[1] * here + mask[2] * right;
}

// The largest value of each warp, by a butterfly; its place, by a vote.
__global__ void warp_maximum(const float* in, float* largest, int* where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float here = i < n ? in[i] : -1e30f;
  float best = here;
  for (int distance = 16; distance > 0; distance /= 2) best = fmaxf(best, __shfl_xor_sync(FULL, best, distance));
  unsigned who = __ballot_sync(FULL, here == best);
  if (i < n) {
    largest[i] = best;
    where[i] = i / 32 * 32 + __ffs(who) - 1;
  }
}

int main() {
  int n = 1000;
  conv1d_shuffle<<<(n + 127) / 128, 128>>>(0, 0, 0, n);
  warp_maximum<<<(n + 127) / 128, 128>>>(0, 0, 0, n);
}
// expects: conv1d_shuffle matches
// expects: warp_maximum clean 1900
