#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void bx(const float* a, float* b, int n, int r)
{
    extern __shared__ float s[];
    int i0 = blockIdx.x * blockDim.x - r;
    for (int k = threadIdx.x; k < (int)blockDim.x + 2 * r; k += blockDim.x) s[k] = i0 + k >= 0 && i0 + k < n ? a[i0 + k] : 0.f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float v = 0; for (int k = 0; k <= 2 * r; k++) v += s[threadIdx.x + k];
    b[i] = v / (2 * r + 1);
}
int main()
{
    int n = 1000, r = 4; float *h = new float[n], *a, *b; for (int i = 0; i < n; i++) h[i] = i % 11;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    bx<<<(n + 127) / 128, 128, 128 + 2 * r>>>(a, b, n, r);
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[9]); cudaFree(a); cudaFree(b); delete[] h;
}
