#include <cstdio>
#include <cstdlib>
#include <cmath>
#define RAD 3
__constant__ float K[2 * RAD + 1];
__global__ void rows(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -RAD; k <= RAD; k++) { int d = x + k; if (d >= 0 && d < w) s += in[y * w + d] * K[RAD - k]; }
    out[y * w + x] = s;
}
__global__ void cols(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -RAD; k <= RAD; k++) { int d = y + k; if (d >= 0 && d < h) s += in[d * w + x] * K[RAD - k]; }
    out[y * w + x] = s;
}
void convRowCPU(float* dst, const float* src, const float* k, int w, int h)
{
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        float s = 0;
        for (int i = -RAD; i <= RAD; i++) { int d = x + i; if (d >= 0 && d < w) s += src[y * w + d] * k[RAD - i]; }
        dst[y * w + x] = s;
    }
}
void convColCPU(float* dst, const float* src, const float* k, int w, int h)
{
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        float s = 0;
        for (int i = -RAD; i <= RAD; i++) { int d = y + i; if (d >= 0 && d < h) s += src[d * w + x] * k[RAD - i]; }
        dst[y * w + x] = s;
    }
}
int main()
{
    int w = 90, h = 60, n = w * h;
    float hk[2 * RAD + 1], *in = (float*)malloc(n * 4), *t = (float*)malloc(n * 4), *r = (float*)malloc(n * 4), *g = (float*)malloc(n * 4);
    for (int i = 0; i < n; i++) in[i] = (float)(rand() % 16);
    for (float& v : hk) v = (float)(rand() % 16);
    float *a, *b, *c;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4);
    cudaMemcpy(a, in, n * 4, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(K, hk, sizeof hk);
    dim3 bl(16, 8), gr((w + 15) / 16, (h + 7) / 8);
    rows<<<gr, bl>>>(a, b, w, h);
    cols<<<gr, bl>>>(b, c, w, h);
    cudaMemcpy(g, c, n * 4, cudaMemcpyDeviceToHost);
    convRowCPU(t, in, hk, w, h);
    convColCPU(r, t, hk, w, h);
    double num = 0, den = 0;
    for (int i = 0; i < n; i++) { num += (g[i] - r[i]) * (g[i] - r[i]); den += r[i] * r[i]; }
    double l2 = sqrt(num / den);
    printf(" ...Relative L2 norm: %E\n\n", l2);
    cudaFree(a); cudaFree(b); cudaFree(c); free(in); free(t); free(r); free(g);
    if (l2 > 1e-6) { printf("Test failed!\n"); exit(EXIT_FAILURE); }
    printf("Test passed\n");
    exit(EXIT_SUCCESS);
}
