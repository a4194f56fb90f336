#include <cstdio>
#include <cmath>
#define OK(x) if ((x) != cudaSuccess) { printf("error in line %d\n", __LINE__); goto fail; }
__global__ void relax(float* u, const float* f, int n, int odd) { int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + odd; if (i < n - 1) u[i] = 0.5f * (u[i - 1] + u[i + 1] - f[i]); }
int main()
{
    int n = 501; float *u = nullptr, *f = nullptr; cudaStream_t st; int dev = 0;
    OK(cudaStreamCreate(&st));
    OK(cudaMallocManaged(&u, n * sizeof(float)));
    OK(cudaMallocAsync(&f, n * sizeof(float), st));
    for (int i = 0; i < n; i++) u[i] = i == 0 ? 1.f : 0.f;
    OK(cudaMemsetAsync(f, 0, n * sizeof(float), st));
    OK(cudaGetDevice(&dev));
    for (int k = 0; k < 30; k++) { relax<<<2, 128, 0, st>>>(u, f, n, 0); relax<<<2, 128, 0, st>>>(u, f, n, 1); }
    OK(cudaGetLastError());
    OK(cudaFreeAsync(f, st));
    OK(cudaStreamSynchronize(st));
    printf("%f %f\n", u[1], u[10]);
    cudaFree(u); cudaStreamDestroy(st);
    return 0;
fail:
    return 1;
}
