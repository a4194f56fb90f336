#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void f(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = sqrtf(x[i]); }
int main()
{
    int n = 1 << 12; float *h, *d; cudaHostAlloc(&h, n * 4, cudaHostAllocDefault); for (int i = 0; i < n; i++) h[i] = i;
    cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, n * 4);
    cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s);
    f<<<n / 256, 256, 0, s>>>(d, n);
    cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s);
    float e = 0; for (int i = 0; i < n; i++) e = fmaxf(e, fabsf(h[i] - sqrtf(i)));
    printf("%f\n", e);
    cudaStreamSynchronize(s); cudaStreamDestroy(s); cudaFree(d); cudaFreeHost(h);
}
