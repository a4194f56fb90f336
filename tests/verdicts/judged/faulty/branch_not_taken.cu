// threshold branch wrong (> instead of >=... and wrong value), program's data never reach it
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void limiter(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) { float l = a[i] - a[i - 1], r = a[i + 1] - a[i]; b[i] = l * r > 0 ? (fabsf(l) < fabsf(r) ? l : r) : l; } }
void limiter_cpu(const float* a, float* b, int n) { for (int i = 1; i < n - 1; i++) { float l = a[i] - a[i - 1], r = a[i + 1] - a[i]; b[i] = l * r > 0 ? (fabsf(l) < fabsf(r) ? l : r) : 0; } }
int main()
{
    int n = 600; float *h = new float[n], *g = new float[n](), *c = new float[n](), *a, *b; for (int i = 0; i < n; i++) h[i] = 0.01f * i * i; // monotone
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    limiter<<<5, 128>>>(a, b, n); cudaMemcpy(g, b, n * 4, cudaMemcpyDeviceToHost); limiter_cpu(h, c, n);
    int bad = 0; for (int i = 0; i < n; i++) bad += fabsf(g[i] - c[i]) > 1e-4f;
    puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); delete[] h; delete[] g; delete[] c; return bad != 0;
}
