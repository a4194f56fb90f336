#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void heat(float* u, int n, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) u[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
int main()
{
    int n = 1024; float* h = new float[n]; for (int i = 0; i < n; i++) h[i] = i % 17;
    float* d; cudaMalloc(&d, n * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    for (int t = 0; t < 10; t++) heat<<<n / 256, 256>>>(d, n, 0.25f);
    cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost);
    printf("%f\n", h[7]); cudaFree(d); delete[] h;
}
