__constant__ float a[10000];
__constant__ float b[10000];
__global__ void other(float* o) { o[0] = b[1]; }
__global__ void k(float* o) { o[0] = a[1]; }
// error 2:1: 'b' takes 40000 bytes, and the __constant__ variables of this file 80000; at most 65536 fit into constant memory, and nvcc refuses more
