int f(int x) { return x; }
__global__ void k(int* a) { a[0] = f(1); }
// error 2:36: no matching function for call to 'f' (candidate function not viable: call to __host__ function from __global__ function)
