__global__ void k(int* a) { a[0] = __shfl_down_sync(0xffffffff, a[1], 1, 12); }
// error 1:74: the width of a shuffle must be 1, 2, 4, 8, 16 or 32
