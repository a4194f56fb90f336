__global__ void k(int* a) {
  a[0] = foo + bar;
}
// error 2:10: use of undeclared identifier 'foo'; did you mean 'for'?
