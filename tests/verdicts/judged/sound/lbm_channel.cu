#include <cstdio>
#include <cstdlib>
#define NX 64
#define NY 34
#define Q 9
#define IDX(q, x, y) ((q) * NX * NY + (y) * NX + (x))
__constant__ int ex[Q], ey[Q], opp[Q];
__constant__ double wt[Q];
__global__ void init(double* f) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y; if (x < NX) for (int q = 0; q < Q; q++) f[IDX(q, x, y)] = wt[q]; }
__global__ void lbm(const double* f, double* g, double tau, double force)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (y == 0 || y == NY - 1) return;
    double r = 0, u = 0, v = 0, l[Q];
    for (int q = 0; q < Q; q++) {
        int xs = (x - ex[q] + NX) % NX, ys = y - ey[q];
        l[q] = (ys == 0 || ys == NY - 1) ? f[IDX(opp[q], x, y)] : f[IDX(q, xs, ys)];
        r += l[q]; u += ex[q] * l[q]; v += ey[q] * l[q];
    }
    u = u / r + tau * force; v /= r;
    for (int q = 0; q < Q; q++) {
        double c = ex[q] * u + ey[q] * v;
        g[IDX(q, x, y)] = l[q] - (l[q] - wt[q] * r * (1 + 3 * c + 4.5 * c * c - 1.5 * (u * u + v * v))) / tau;
    }
}
int main()
{
    int hx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, hy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, ho[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    double hw[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    cudaMemcpyToSymbol(ex, hx, sizeof hx); cudaMemcpyToSymbol(ey, hy, sizeof hy); cudaMemcpyToSymbol(opp, ho, sizeof ho); cudaMemcpyToSymbol(wt, hw, sizeof hw);
    double *f, *g;
    size_t b = Q * NX * NY * sizeof(double);
    cudaMalloc(&f, b); cudaMalloc(&g, b);
    init<<<dim3(1, NY), 64>>>(f);
    init<<<dim3(1, NY), 64>>>(g);
    for (int t = 0; t < 30; t++) { lbm<<<dim3(NX / 32, NY), 32>>>(f, g, 0.8, 1e-5); double* s = f; f = g; g = s; }
    double* h = (double*)malloc(b);
    cudaMemcpy(h, f, b, cudaMemcpyDeviceToHost);
    double m = 0;
    for (size_t i = 0; i < b / 8; i++) m += h[i];
    printf("mass %.12f\n", m);
    free(h); cudaFree(f); cudaFree(g);
}
