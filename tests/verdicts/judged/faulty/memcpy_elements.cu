#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void scale(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
int main()
{
    int n = 512; float h[512]; for (int i = 0; i < n; i++) h[i] = i;
    float* d; cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    scale<<<2, 256>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[n - 1]); cudaFree(d);
}
