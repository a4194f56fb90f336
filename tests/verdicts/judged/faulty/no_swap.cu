#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void jac(const float* a, float* b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) b[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
void jac_cpu(const float* a, float* b, int n) { for (int y = 1; y < n - 1; y++) for (int x = 1; x < n - 1; x++) b[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]); }
int main()
{
    int n = 33, steps = 9; size_t B = n * n * 4;
    float *h = (float*)calloc(n * n, 4), *r = (float*)calloc(n * n, 4), *q = (float*)calloc(n * n, 4);
    for (int i = 0; i < n * n; i++) h[i] = r[i] = q[i] = rand() % 7;
    float *a, *b; cudaMalloc(&a, B); cudaMalloc(&b, B); cudaMemcpy(a, h, B, cudaMemcpyHostToDevice); cudaMemcpy(b, h, B, cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; s++) { jac<<<dim3(3, 3), dim3(16, 16)>>>(a, b, n); jac_cpu(r, q, n); float* t = r; r = q; q = t; }
    cudaMemcpy(h, b, B, cudaMemcpyDeviceToHost);
    double e = 0; for (int i = 0; i < n * n; i++) e = fmax(e, fabs(h[i] - r[i]));
    printf("max error %f\n", e);
    cudaFree(a); cudaFree(b); free(h); free(r); free(q);
}
