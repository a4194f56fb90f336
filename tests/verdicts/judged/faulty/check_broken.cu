#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void conv(const float* x, const float* m, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float s = 0; for (int k = 0; k < 5; k++) { int j = i - 2 + k; if (j > 0 && j < n) s += x[j] * m[k]; }
    y[i] = s;
}
int main()
{
    int n = 500; float *x = new float[n], *y = new float[n], m[5] = {1, 2, 3, 4, 5}, *dx, *dm, *dy;
    for (int i = 0; i < n; i++) x[i] = i ? rand() % 9 + 1 : 4;
    cudaMalloc(&dx, n * 4); cudaMalloc(&dy, n * 4); cudaMalloc(&dm, 20); cudaMemcpy(dx, x, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(dm, m, 20, cudaMemcpyHostToDevice);
    conv<<<(n + 63) / 64, 64>>>(dx, dm, dy, n);
    cudaMemcpy(y, dy, n * 4, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 2; i < n - 2; i++) { float s = 0; for (int k = 0; k < 5; k++) s += x[i - 2 + k] * m[k]; if (i > 2 && abs((int)(s - y[i])) > 1) ok = false; }
    puts(ok ? "Test PASSED" : "Test FAILED"); cudaFree(dx); cudaFree(dm); cudaFree(dy); delete[] x; delete[] y; return !ok;
}
