struct S { int a; double b; };
__global__ void k(S s, double* o) { o[0] = s.b; }
// error 2:19: unsupported: parameter 's' of type S
