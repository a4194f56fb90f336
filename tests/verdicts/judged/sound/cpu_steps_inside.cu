// CPU function does all the steps in place
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void heat(const double* a, double* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = i > 0 && i < n - 1 ? a[i] + 0.3 * (a[i - 1] - 2 * a[i] + a[i + 1]) : a[i]; }
void heat_cpu(double* u, double* tmp, int n, int steps) { for (int s = 0; s < steps; s++) { for (int i = 1; i < n - 1; i++) tmp[i] = u[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]); for (int i = 1; i < n - 1; i++) u[i] = tmp[i]; } }
int main()
{
    int n = 400, steps = 8; std::vector<double> h(n), t(n), g(n); for (int i = 0; i < n; i++) h[i] = (i * 13) % 29; double *a, *b; cudaMalloc(&a, n * 8); cudaMalloc(&b, n * 8); cudaMemcpy(a, h.data(), n * 8, cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; s++) { heat<<<4, 100>>>(a, b, n); std::swap(a, b); }
    cudaMemcpy(g.data(), a, n * 8, cudaMemcpyDeviceToHost); heat_cpu(h.data(), t.data(), n, steps);
    double e = 0; for (int i = 0; i < n; i++) e = fmax(e, fabs(g[i] - h[i])); printf("%g\n", e); cudaFree(a); cudaFree(b);
}
