// Reductions and matches of a warp, as hardware has them, for all lanes and for some.
// expects: exited 0
// expects: launches 2
// expects: prints 496 0 31 0 31 0
// expects: prints ffff0000 55555555 0 80000001
#include <cstdio>

__global__ void reduce(unsigned *out) {
  const unsigned lane = threadIdx.x;
  const unsigned sum = __reduce_add_sync(0xffffffffu, lane), least = __reduce_min_sync(0xffffffffu, lane);
  const int most = __reduce_max_sync(0xffffffffu, (int)lane);
  const unsigned all = __reduce_and_sync(0xffffffffu, lane), any = __reduce_or_sync(0xffffffffu, lane),
                 odd = __reduce_xor_sync(0xffffffffu, lane);
  if (lane == 0) out[0] = sum, out[1] = least, out[2] = most, out[3] = all, out[4] = any, out[5] = odd;
}

__global__ void match(unsigned *out) {
  const int lane = threadIdx.x;
  const unsigned halves = __match_any_sync(0xffffffffu, lane / 16), even = __match_any_sync(0xffffffffu, lane % 2);
  int same = 5;
  const unsigned none = __match_all_sync(0xffffffffu, lane, &same);
  unsigned ends = 0;
  if (lane == 0 || lane == 31) ends = __match_any_sync(0x80000001u, 2.5f);
  if (lane == 31) out[6] = halves;
  if (lane == 0) out[7] = even, out[8] = none + same, out[9] = ends;
}

int main() {
  unsigned *out, h[10];
  cudaMalloc(&out, sizeof h);
  reduce<<<1, 32>>>(out);
  match<<<1, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%u %u %u %u %u %u\n", h[0], h[1], h[2], h[3], h[4], h[5]);
  printf("%x %x %x %x\n", h[6], h[7], h[8], h[9]);
  cudaFree(out);
}
