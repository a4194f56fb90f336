__global__ void k(int* a) { __shared__ int t[0]; t[threadIdx.x] = 1; }
// error 1:29: array 't' has no elements
