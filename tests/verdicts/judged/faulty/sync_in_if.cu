#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void sm(const float* a, float* b, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = a[i];
        __syncthreads();
        float l = threadIdx.x > 0 ? s[threadIdx.x - 1] : (i > 0 ? a[i - 1] : 0);
        b[i] = s[threadIdx.x] - l;
    }
}
int main()
{
    int n = 1000; float* h = new float[n]; for (int i = 0; i < n; i++) h[i] = i * i;
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    sm<<<(n + 127) / 128, 128>>>(a, b, n);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[10]); cudaFree(a); cudaFree(b); delete[] h;
}
