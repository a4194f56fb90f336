__global__ void k(int* a, int width) { a[0] = __shfl_sync(0xffffffff, a[1], 1, width); }
// error 1:80: unsupported: shuffle width that is not a constant
