#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void wave(const double* um, const double* u, double* up, int n, double c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) up[i] = 2 * u[i] + um[i] + c2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
void wave_ref(const double* um, const double* u, double* up, int n, double c2) { for (int i = 1; i < n - 1; i++) up[i] = 2 * u[i] - um[i] + c2 * (u[i - 1] - 2 * u[i] + u[i + 1]); }
int main()
{
    int n = 200; size_t B = n * 8; double *h0 = (double*)calloc(n, 8), *h1 = (double*)calloc(n, 8), *h2 = (double*)calloc(n, 8), *g = (double*)calloc(n, 8);
    for (int i = 1; i < n - 1; i++) { h1[i] = exp(-0.01 * (i - 100) * (i - 100)); h0[i] = 0; }
    double *a, *b, *c; cudaMalloc(&a, B); cudaMalloc(&b, B); cudaMalloc(&c, B);
    cudaMemcpy(a, h0, B, cudaMemcpyHostToDevice); cudaMemcpy(b, h1, B, cudaMemcpyHostToDevice); cudaMemset(c, 0, B);
    wave<<<2, 128>>>(a, b, c, n, 0.25);
    wave_ref(h0, h1, h2, n, 0.25);
    cudaMemcpy(g, c, B, cudaMemcpyDeviceToHost);
    double e = 0; for (int i = 0; i < n; i++) e = fmax(e, fabs(g[i] - h2[i]));
    puts(e < 1e-9 ? "Results match" : "Results differ");
    cudaFree(a); cudaFree(b); cudaFree(c); free(h0); free(h1); free(h2); free(g);
    return 0;
}
