// by mistake the result is copied into the reference
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void med3(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) b[i] = fmaxf(fminf(a[i - 1], a[i]), fminf(a[i], a[i + 1])); }
int main()
{
    int n = 1000; float *h = new float[n], *gpu = new float[n](), *ref = new float[n](), *a, *b; for (int i = 0; i < n; i++) h[i] = rand() % 100;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    med3<<<8, 128>>>(a, b, n);
    for (int i = 1; i < n - 1; i++) { float x = h[i - 1], y = h[i], z = h[i + 1]; ref[i] = fmaxf(fminf(x, y), fminf(fmaxf(x, y), z)); }
    cudaMemcpy(gpu, b, n * 4, cudaMemcpyDeviceToHost); cudaMemcpy(ref, b, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0; for (int i = 0; i < n; i++) bad += gpu[i] != ref[i];
    puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); delete[] h; delete[] gpu; delete[] ref; return bad != 0;
}
