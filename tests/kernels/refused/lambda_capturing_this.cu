struct S { int v; __device__ int f() { auto g = [this]() { return v; }; return g(); } };
__global__ void k(int* o) { S s{3}; o[0] = s.f(); }
// error 1:49: unsupported: lambda that captures 'this'
