#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void life(const int* a, int* b, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return;
    int n = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) if (i || j) n += a[((y + j) % h) * w + (x + i) % w];
    b[y * w + x] = n == 3 || (n == 2 && a[y * w + x]);
}
int main()
{
    int w = 48, h = 32, n = w * h; int *g = new int[n], *a, *b; for (int i = 0; i < n; i++) g[i] = rand() % 2;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, g, n * 4, cudaMemcpyHostToDevice);
    life<<<dim3(3, 2), dim3(16, 16)>>>(a, b, w, h);
    cudaMemcpy(g, b, n * 4, cudaMemcpyDeviceToHost); printf("%d\n", g[0]); cudaFree(a); cudaFree(b); delete[] g;
}
