__device__ int f() { return 1; }
int main() { return 0; }
// error -: no kernel: no __global__ function with a body
