__global__ void kernel(int* a, int width) { a[0] = __shfl_down_sync(0xffffffff, a[1], 3, width); }

/* lowered
  kernel kernel
  ...
  %2 = Shl.U32 width, 8u
  %3 = Or.U32 3u, %2
  %4 = ShuffleDown.I32 %1, %3, 4294967295u, width of the lane
*/
