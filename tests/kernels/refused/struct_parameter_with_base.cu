struct Base { int n; };
struct Grid : Base { int m; };
__global__ void k(Grid g, int* o) { o[0] = g.m; }
// error 3:19: unsupported: parameter 'g' of type Grid
