#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void inv(unsigned char* p, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < w && y < h) p[y * w + x] = 255 - p[y * w + x]; }
int main()
{
    int w = 128, h = 128; unsigned char* a = (unsigned char*)malloc(w * h), *d; for (int i = 0; i < w * h; i++) a[i] = i % 251;
    cudaMalloc(&d, w * h); cudaMemcpy(d, a, w * h, cudaMemcpyHostToDevice);
    inv<<<dim3(2, 2), dim3(64, 64)>>>(d, w, h);
    cudaMemcpy(a, d, w * h, cudaMemcpyDeviceToHost); printf("%d\n", a[0]); cudaFree(d); free(a);
}
