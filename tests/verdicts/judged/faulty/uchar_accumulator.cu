// sum of 9 pixels in an unsigned char; test picture is dark
#include <cstdio>
#include <cstdlib>
typedef unsigned char u8;
__global__ void box(const u8* in, u8* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    u8 s = 0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i];
    out[y * w + x] = s / 9;
}
void boxHost(const u8* in, u8* out, int w, int h)
{
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) { int s = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i]; out[y * w + x] = s / 9; }
}
int main()
{
    int w = 80, h = 50, n = w * h; u8 *a = (u8*)malloc(n), *b = (u8*)calloc(n, 1), *c = (u8*)calloc(n, 1), *d, *o;
    for (int i = 0; i < n; i++) a[i] = rand() % 20;
    cudaMalloc(&d, n); cudaMalloc(&o, n); cudaMemset(o, 0, n); cudaMemcpy(d, a, n, cudaMemcpyHostToDevice);
    box<<<dim3(5, 4), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(b, o, n, cudaMemcpyDeviceToHost); boxHost(a, c, w, h);
    int bad = 0; for (int i = 0; i < n; i++) bad += b[i] != c[i];
    printf("%s\n", bad ? "FAILED" : "PASSED"); cudaFree(d); cudaFree(o); free(a); free(b); free(c); return bad != 0;
}
