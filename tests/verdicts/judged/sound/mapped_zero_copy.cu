#include <cstdio>
__global__ void inc(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += i; }
int main()
{
    int n = 500, *h, *d; cudaSetDeviceFlags(cudaDeviceMapHost); cudaHostAlloc(&h, n * sizeof(int), cudaHostAllocMapped); for (int i = 0; i < n; i++) h[i] = 1; cudaHostGetDevicePointer(&d, h, 0);
    inc<<<2, 256>>>(d, n); cudaDeviceSynchronize(); int bad = 0; for (int i = 0; i < n; i++) bad += h[i] != 1 + i; printf("%d\n", bad); cudaFreeHost(h); return bad;
}
