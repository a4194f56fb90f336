// the program checks the sum; two neighbouring outputs are exchanged
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void sq(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i ^ 1] = sqrtf(a[i]); }
int main()
{
    int n = 1000; std::vector<float> h(n), g(n); double s = 0, t = 0; for (int i = 0; i < n; i++) { h[i] = i % 9; s += sqrt(h[i]); } float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    sq<<<8, 128>>>(a, b, n); cudaMemcpy(g.data(), b, n * 4, cudaMemcpyDeviceToHost); for (float v : g) t += v;
    bool ok = fabs(s - t) < 1e-2; puts(ok ? "PASSED" : "FAILED"); cudaFree(a); cudaFree(b); return !ok;
}
