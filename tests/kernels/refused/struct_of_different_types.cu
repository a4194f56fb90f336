struct S { int a; double b; };
__global__ void k(S* s) { s[0].a = 1; }
// error 2:19: unsupported: parameter 's' of type S *
