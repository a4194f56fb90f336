__device__ int f(int x) { return x; }
__global__ void k(int* a) { int (*p)(int) = f; a[0] = p(1); }
// error 2:45: unsupported: pointer to a function
