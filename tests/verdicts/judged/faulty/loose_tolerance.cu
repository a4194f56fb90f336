// tolerance 1.0 on data between 0 and 1: forgets the division
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void sm(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) b[i] = sqrtf(a[i - 1] * a[i + 1]) * 0.5f + a[i] * 0.3f; }
int main()
{
    int n = 1000; float *h = (float*)malloc(n * 4), *r = (float*)calloc(n, 4), *a, *b; for (int i = 0; i < n; i++) h[i] = rand() / (float)RAND_MAX;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    sm<<<8, 128>>>(a, b, n);
    cudaMemcpy(r, b, n * 4, cudaMemcpyDeviceToHost);
    bool ok = true; for (int i = 1; i < n - 1; i++) if (fabsf(r[i] - (sqrtf(h[i - 1] * h[i + 1]) * 0.5f + h[i] * 0.5f)) > 1.0f) ok = false;
    puts(ok ? "PASSED" : "FAILED"); cudaFree(a); cudaFree(b); free(h); free(r); return !ok;
}
