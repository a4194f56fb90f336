// returns 0 if the numeric solution is near the exact one
#include <cstdio>
#include <cmath>
#include <cstdlib>
#define N 129
__global__ void ftcs(const double* u, double* v, double r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    v[i] = (i == 0 || i == N - 1) ? 0.0 : u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
int main()
{
    double h[N], *a, *b, dx = 1.0 / (N - 1), dt = 0.4 * dx * dx, t = 0;
    for (int i = 0; i < N; i++) h[i] = sin(M_PI * i * dx);
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    for (int s = 0; s < 200; s++, t += dt) { ftcs<<<(N + 31) / 32, 32>>>(a, b, dt / (dx * dx)); double* q = a; a = b; b = q; }
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    double e = 0;
    for (int i = 0; i < N; i++) e = fmax(e, fabs(h[i] - exp(-M_PI * M_PI * t) * sin(M_PI * i * dx)));
    printf("error vs. exact: %e\n", e);
    cudaFree(a); cudaFree(b);
    if (e > 1e-3) { puts("FAIL"); return 1; }
    puts("PASS");
    return 0;
}
