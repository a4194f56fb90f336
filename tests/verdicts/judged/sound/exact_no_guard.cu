#include <stdio.h>
#include <stdlib.h>
#define N 1024
#define B 128
__global__ void saxpy_grad(float* y, const float* x, float a)
{
    int i = blockIdx.x * B + threadIdx.x;
    __shared__ float s[B];
    s[threadIdx.x] = x[i];
    __syncthreads();
    float left = threadIdx.x ? s[threadIdx.x - 1] : (i ? x[i - 1] : 0.f);
    y[i] = a * (s[threadIdx.x] - left) + y[i];
}
int main(void)
{
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) { x[i] = i * 0.5f; y[i] = 1.f; }
    saxpy_grad<<<N / B, B>>>(y, x, 2.0f);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 1; i < N; i++) if (y[i] != 2.0f) wrong++;
    if (y[0] != 1.0f) wrong++;
    printf(wrong ? "Error\n" : "Success\n");
    cudaFree(x); cudaFree(y);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
