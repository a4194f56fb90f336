__global__ void k(int* o) { int* p = new int[3]; o[0] = p[0]; }
// error 1:38: unsupported: new
