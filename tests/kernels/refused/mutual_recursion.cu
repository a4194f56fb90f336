__device__ int g(int n);
__device__ int f(int n) { return n < 2 ? 1 : g(n - 1); }
__device__ int g(int n) { return f(n); }
__global__ void k(int* a) { a[0] = f(a[1]); }
// error 3:34: unsupported: recursion of 'f'
