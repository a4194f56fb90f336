__global__ void k(int* a) { a[0] = __shfl_down_sync(0xffffffff, a[1], 1); }
// error 1:36: unsupported: __shfl_down_sync
