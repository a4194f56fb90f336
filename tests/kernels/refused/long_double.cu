__global__ void k(int* o) { long double d = 1; o[0] = d; }
// error 1:45: unsupported: type long double
