#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void a2(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * 2; }
__global__ void d1(const float* y, float* z, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n) z[i] = y[i] - y[i - 1]; }
int main()
{
    int n = 4096; float *h, *x, *y, *z; cudaMallocHost(&h, n * 4); for (int i = 0; i < n; i++) h[i] = i * 0.1f;
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&z, n * 4); cudaMemset(z, 0, n * 4);
    cudaStream_t s1, s2; cudaStreamCreate(&s1); cudaStreamCreate(&s2);
    cudaMemcpyAsync(x, h, n * 4, cudaMemcpyHostToDevice, s1);
    a2<<<16, 256, 0, s1>>>(x, y, n);
    d1<<<16, 256, 0, s2>>>(y, z, n);
    cudaMemcpyAsync(h, z, n * 4, cudaMemcpyDeviceToHost, s2);
    cudaStreamSynchronize(s2);
    printf("%f\n", h[5]);
    cudaStreamDestroy(s1); cudaStreamDestroy(s2); cudaFree(x); cudaFree(y); cudaFree(z); cudaFreeHost(h);
}
