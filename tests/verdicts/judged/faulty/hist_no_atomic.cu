#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void hist(const unsigned char* p, int n, unsigned* h) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) h[p[i]]++; }
int main()
{
    int n = 4000; unsigned char* a = (unsigned char*)malloc(n), *d; unsigned *h, r[256]; for (int i = 0; i < n; i++) a[i] = rand() % 256;
    cudaMalloc(&d, n); cudaMalloc(&h, sizeof r); cudaMemset(h, 0, sizeof r); cudaMemcpy(d, a, n, cudaMemcpyHostToDevice);
    hist<<<(n + 255) / 256, 256>>>(d, n, h);
    cudaMemcpy(r, h, sizeof r, cudaMemcpyDeviceToHost); printf("%u\n", r[5]); cudaFree(d); cudaFree(h); free(a);
}
