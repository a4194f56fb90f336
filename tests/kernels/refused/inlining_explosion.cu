__device__ int a0(int x) { return x + 1; }
#define F(n, m) __device__ int a##n(int x) { return a##m(x) + a##m(x + 1) + a##m(x + 2) + a##m(x+3); }
F(1,0) F(2,1) F(3,2) F(4,3) F(5,4) F(6,5) F(7,6) F(8,7) F(9,8) F(10,9) F(11,10) F(12,11)
__global__ void k(int* o) { o[0] = a12(1); }
// error 3:15: the kernel is too large: more than 200000 instructions once its device functions are inlined
