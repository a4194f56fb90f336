#include <cstdio>
#include <cstdlib>
#include <cmath>

typedef unsigned char u8;
__global__ void sharpen(const u8* in, u8* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int v = 5 * in[y * w + x] - in[y * w + x - 1] - in[y * w + x + 1] - in[(y - 1) * w + x] - in[(y + 1) * w + x];
    out[y * w + x] = v;
}
void sharpenHost(const u8* in, u8* out, int w, int h)
{
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        int v = 5 * in[y * w + x] - in[y * w + x - 1] - in[y * w + x + 1] - in[(y - 1) * w + x] - in[(y + 1) * w + x];
        out[y * w + x] = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}
int main()
{
    int w = 80, h = 50, n = w * h; u8 *a = (u8*)malloc(n), *b = (u8*)calloc(n, 1), *c = (u8*)calloc(n, 1), *d, *o;
    for (int i = 0; i < n; i++) a[i] = 100 + (i % w) / 4; // smooth image: no overflow
    cudaMalloc(&d, n); cudaMalloc(&o, n); cudaMemset(o, 0, n); cudaMemcpy(d, a, n, cudaMemcpyHostToDevice);
    sharpen<<<dim3(5, 4), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(b, o, n, cudaMemcpyDeviceToHost); sharpenHost(a, c, w, h);
    int bad = 0; for (int i = 0; i < n; i++) bad += b[i] != c[i];
    printf("%s\n", bad ? "FAILED" : "PASSED"); cudaFree(d); cudaFree(o); free(a); free(b); free(c); return bad != 0;
}
