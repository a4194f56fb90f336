template <int T> __global__ void k(int* a) { a[0] = T; }
// error 1:1: kernel template 'k' is never instantiated: give its parameters defaults, or add 'template __global__ void k<…>(…);'
