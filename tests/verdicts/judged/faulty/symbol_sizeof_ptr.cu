#include <cstdio>
#include <cstdlib>
#include <cmath>

__constant__ float c[7];
__global__ void cv(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float s = 0; for (int k = 0; k < 7; k++) { int j = i + k - 3; if (j >= 0 && j < n) s += c[k] * a[j]; }
    b[i] = s;
}
void setFilter(const float* f) { cudaMemcpyToSymbol(c, f, sizeof(f)); }
int main()
{
    int n = 600; float f[7] = {1, 2, 3, 4, 3, 2, 1}; float* h = new float[n]; for (int i = 0; i < n; i++) h[i] = i % 5;
    setFilter(f);
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    cv<<<3, 200>>>(a, b, n);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[10]); cudaFree(a); cudaFree(b); delete[] h;
}
