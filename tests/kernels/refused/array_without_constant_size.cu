__global__ void k(int* a, int n) { int t[n]; t[0] = 1; a[0] = t[0]; }
// error 1:41: cannot use variable-length arrays in __global__ functions
