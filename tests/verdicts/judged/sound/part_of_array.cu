// the launch handles only a part of the array on purpose: guard is the array's end, the rest has another launch with CPU result
#include <cstdio>
#include <cstdlib>
__global__ void scale(float* a, const float* b, int n, int first) { int i = first + blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 3.f * b[i]; }
int main()
{
    int n = 1024; float *h = (float*)malloc(n * 4), *a, *b;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(b, h, n * 4, cudaMemcpyHostToDevice);
    scale<<<2, 256>>>(a, b, n, 0);
    cudaMemcpy(h, a, 512 * 4, cudaMemcpyDeviceToHost);   // the first half only
    for (int i = 512; i < n; i++) h[i] *= 3.f;           // the CPU does the second
    int bad = 0; for (int i = 0; i < n; i++) bad += h[i] != 3.f * i;
    printf("%s\n", bad ? "bad" : "good");
    cudaFree(a); cudaFree(b); free(h);
    return bad;
}
