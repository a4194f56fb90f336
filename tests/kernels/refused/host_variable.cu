int n = 4;
__global__ void k(int* a) { a[0] = n; }
// error 2:36: reference to __host__ variable 'n' in __global__ function
