__device__ int* g(int& r) { return &r; }
__global__ void k(int* o) { int x = 1; o[0] = *g(x); }
// error 1:37: unsupported: address of a variable that is kept in a register
