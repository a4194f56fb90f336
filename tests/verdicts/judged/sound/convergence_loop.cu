#include <cstdio>
#include <vector>
#include <cmath>
__global__ void relax(const double* u, double* v, const double* f, int n, double h2, unsigned long long* maxdiff)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i > n || j > n) return;
    int p = n + 2, c = i * p + j;
    double w = 0.25 * (u[c - 1] + u[c + 1] + u[c - p] + u[c + p] - h2 * f[c]);
    v[c] = w;
    atomicMax(maxdiff, (unsigned long long)__double_as_longlong(fabs(w - u[c])));
}
int main()
{
    const int n = 30, p = n + 2;
    const double h = 1.0 / (n + 1), tol = 1e-4;
    std::vector<double> u(p * p, 0.0), f(p * p);
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++) f[i * p + j] = -2 * M_PI * M_PI * sin(M_PI * i * h) * sin(M_PI * j * h);
    double *a, *b, *df; unsigned long long* dm;
    cudaMalloc(&a, p * p * 8); cudaMalloc(&b, p * p * 8); cudaMalloc(&df, p * p * 8); cudaMalloc(&dm, 8);
    cudaMemcpy(a, u.data(), p * p * 8, cudaMemcpyHostToDevice);
    cudaMemcpy(b, u.data(), p * p * 8, cudaMemcpyHostToDevice);
    cudaMemcpy(df, f.data(), p * p * 8, cudaMemcpyHostToDevice);
    int it = 0; double diff = 1;
    while (diff > tol && it < 2000) {
        cudaMemset(dm, 0, 8);
        relax<<<dim3(4, 4), dim3(8, 8)>>>(a, b, df, n, h * h, dm);
        cudaMemcpy(&diff, dm, 8, cudaMemcpyDeviceToHost);
        std::swap(a, b);
        it++;
    }
    cudaMemcpy(u.data(), a, p * p * 8, cudaMemcpyDeviceToHost);
    double e = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) e = fmax(e, fabs(u[i * p + j] - sin(M_PI * i * h) * sin(M_PI * j * h)));
    printf("%d iterations, discretization + iteration error %.3e\n", it, e);
    cudaFree(a); cudaFree(b); cudaFree(df); cudaFree(dm);
    return 0;
}
