template <int N> __device__ int f() { return f<N + 1>(); }
__global__ void k(int* o) { o[0] = f<0>(); }
// error 1:46: recursive template instantiation exceeded maximum depth of 64
