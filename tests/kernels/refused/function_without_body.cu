__device__ int f(int);
__global__ void k(int* a) { a[0] = f(1); }
// error 2:36: unsupported: call to 'f', which has no body in this file
