__constant__ float c[20000];
__global__ void k(float* o) { o[0] = c[1]; }
// error 1:1: 'c' takes 80000 bytes; at most 65536 fit into Constant memory
