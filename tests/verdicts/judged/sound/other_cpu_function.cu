// the CPU function is a different scheme (4th order), only for printing how much the two differ
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
__global__ void deriv2(const float* f, float* d, int n, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 || i >= n - 2) return;
    d[i] = (f[i + 1] - f[i - 1]) / (2 * h);
}
void deriv4(const float* f, float* d, int n, float h)
{
    for (int i = 2; i < n - 2; i++) d[i] = (-f[i + 2] + 8 * f[i + 1] - 8 * f[i - 1] + f[i - 2]) / (12 * h);
}
int main()
{
    int n = 500; float h = 0.05f;
    float *f = (float*)malloc(n * 4), *g = (float*)calloc(n, 4), *c = (float*)calloc(n, 4);
    for (int i = 0; i < n; i++) f[i] = sinf(i * h);
    float *df, *dd;
    cudaMalloc((void**)&df, n * 4); cudaMalloc((void**)&dd, n * 4);
    cudaMemcpy(df, f, n * 4, cudaMemcpyHostToDevice);
    cudaMemset(dd, 0, n * 4);
    deriv2<<<(n + 63) / 64, 64>>>(df, dd, n, h);
    cudaMemcpy(g, dd, n * 4, cudaMemcpyDeviceToHost);
    deriv4(f, c, n, h);
    float m = 0, e2 = 0, e4 = 0;
    for (int i = 2; i < n - 2; i++) {
        m = fmaxf(m, fabsf(g[i] - c[i]));
        e2 = fmaxf(e2, fabsf(g[i] - cosf(i * h)));
        e4 = fmaxf(e4, fabsf(c[i] - cosf(i * h)));
    }
    printf("schemes differ by at most %g; error 2nd order %g, 4th order %g\n", m, e2, e4);
    cudaFree(df); cudaFree(dd); free(f); free(g); free(c);
    return 0;
}
