// The host writes an element that the kernel beside it does not use.
#include <cstdio>
#include <cstring>
#include <algorithm>
#include <cuda_runtime.h>
__global__ void odd(float *p, const float *c, int n) { int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1; if (i < n) p[i] = p[i] * c[0] + c[1]; }
int main() {
    const int n = 1001; float *p, *c; cudaMallocManaged(&p, n * sizeof(float)); cudaMallocManaged(&c, 4 * sizeof(float));
    std::fill(p, p + n, 1.0f); c[0] = 2; c[1] = 3; c[2] = 7; c[3] = 0;
    odd<<<2, 256>>>(p, c, n);
    c[3] = c[2];
    cudaDeviceSynchronize();
    int bad = 0; for (int i = 0; i < n; i++) if (p[i] != (i % 2 ? 5.0f : 1.0f)) bad++;
    printf("bad: %d\n", bad);
    cudaFree(p); cudaFree(c);
    return bad ? 1 : 0;
}
