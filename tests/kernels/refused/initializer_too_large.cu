__global__ void k(int* a) { int t[100000] = {}; a[0] = t[0]; }
// error 1:45: unsupported: initialiser of an array this large
