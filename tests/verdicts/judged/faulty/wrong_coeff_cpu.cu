#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void fd4(const float* f, float* g, int n, float h) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= 2 && i < n - 2) g[i] = (-f[i + 2] + 16 * f[i + 1] - 30 * f[i] + 16 * f[i - 1] + f[i - 2]) / (12 * h * h); }
int main()
{
    int n = 400; float h = 0.02f, *f = new float[n], *g = new float[n], *a, *b; for (int i = 0; i < n; i++) { f[i] = sinf(i * h); g[i] = 0; }
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, f, n * 4, cudaMemcpyHostToDevice); cudaMemset(b, 0, n * 4);
    fd4<<<4, 100>>>(a, b, n, h);
    cudaMemcpy(g, b, n * 4, cudaMemcpyDeviceToHost);
    double e = 0; for (int i = 2; i < n - 2; i++) e = fmax(e, fabs(g[i] + sinf(i * h)));
    printf("max error %g\n", e); if (e > 0.01) puts("TEST FAILED"); cudaFree(a); cudaFree(b); delete[] f; delete[] g; return e > 0.01;
}
