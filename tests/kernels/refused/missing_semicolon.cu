__global__ void k(float* a) {
  a[0] = 1
}
// error 2:11: expected ';' after expression
