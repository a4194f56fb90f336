#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void g(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n - 1) b[i] = a[i + 1] - a[i]; }
int main()
{
    int n = 300; float h[300], *a, *b; for (int i = 0; i < n; i++) h[i] = i * i; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
    cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    cudaFree(a);
    g<<<2, 160>>>(a, b, n);
    cudaMemcpy(h, b, (n - 1) * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[5]); cudaFree(b);
}
