__global__ void kernel(float* a, unsigned* masks, int n) {
  float v = a[threadIdx.x];
  v += __shfl_down_sync(0xffffffff, v, 4, 8);
  v = __shfl_sync(masks[0], v, n);
  if (__any_sync(0xffffffff, n > 3)) v = 1.0f;
  masks[threadIdx.x] = __ballot_sync(0xffu, v > 2.0f) & __activemask();
  __syncwarp();
  a[threadIdx.x] = v;
}

/* lowered
  kernel kernel
  ...
  %1 = ShuffleDown.F32 v, 4u, 4294967295u, width 8
  ...
  %2 = ShuffleIndex.F32 v, n, %3, width 32
  ...
  %5 = VoteAny %4, 4294967295u
  ...
  %3 = VoteBallot %6, 255u
  %7 = ActiveMask
  ...
  Statement 6 Expression
  WarpBarrier 4294967295u
*/
