__global__ void k(int* a) { a[0] = __syncthreads_count(a[1]); }
// error 1:36: unsupported: __syncthreads_count
