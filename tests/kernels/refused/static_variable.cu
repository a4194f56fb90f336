__global__ void k(int* o) { static int n = 0; o[0] = n++; }
// error 1:29: unsupported: static variable 'n'
