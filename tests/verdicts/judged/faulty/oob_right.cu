#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void k(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.f;
}
int main()
{
    int n = 1000; float h[1000]; for (int i = 0; i < n; i++) h[i] = i;
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
    cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice); cudaMemset(b, 0, n * 4);
    k<<<4, 256>>>(a, b, n);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost);
    printf("%f\n", h[500]);
    cudaFree(a); cudaFree(b);
}
