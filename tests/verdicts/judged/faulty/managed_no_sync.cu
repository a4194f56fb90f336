#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void lap(const double* u, double* v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) v[i] = u[i - 1] - 2 * u[i] + u[i + 1]; }
int main()
{
    int n = 2000; double *u, *v; cudaMallocManaged(&u, n * 8); cudaMallocManaged(&v, n * 8);
    for (int i = 0; i < n; i++) { u[i] = sin(i * 0.01); v[i] = 0; }
    lap<<<(n + 255) / 256, 256>>>(u, v, n);
    double s = 0; for (int i = 0; i < n; i++) s += v[i];
    printf("%f\n", s); cudaFree(u); cudaFree(v);
}
