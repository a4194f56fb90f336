#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void blur(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    b[i] = 0.5f * a[i] + 0.25f * (i ? a[i - 1] : 0.f) + 0.25f * (i < n - 1 ? a[i + 1] : 0.f);
}
int main()
{
    int n = 1000; float* h = new float[n]; for (int i = 0; i < n; i++) h[i] = i % 17;
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    blur<<<n / 256, 256>>>(a, b, n);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 100) printf("%f\n", h[i]); cudaFree(a); cudaFree(b); delete[] h;
}
