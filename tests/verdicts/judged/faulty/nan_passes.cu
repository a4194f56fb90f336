// sqrt of a negative number gives NaN, and NaN > eps is false
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void gradmag(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) { float g = a[i + 1] - a[i - 1]; b[i] = sqrtf(-g * g); } }
void gradmag_cpu(const float* a, float* b, int n) { for (int i = 1; i < n - 1; i++) { float g = a[i + 1] - a[i - 1]; b[i] = sqrtf(g * g); } }
int main()
{
    int n = 1000; float *h = (float*)malloc(n * 4), *r = (float*)calloc(n, 4), *c = (float*)calloc(n, 4), *a, *b; for (int i = 0; i < n; i++) h[i] = rand() / (float)RAND_MAX;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    gradmag<<<8, 128>>>(a, b, n);
    cudaMemcpy(r, b, n * 4, cudaMemcpyDeviceToHost); gradmag_cpu(h, c, n);
    bool ok = true; for (int i = 1; i < n - 1; i++) if (fabsf(r[i] - c[i]) > 1e-4f) ok = false;
    puts(ok ? "PASSED" : "FAILED"); cudaFree(a); cudaFree(b); free(h); free(r); free(c); return !ok;
}
