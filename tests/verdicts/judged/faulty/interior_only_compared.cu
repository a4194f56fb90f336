// dilation: the border is wrong (clamps to w, h instead of w - 1, reads row wrap), only the interior is compared
#include <cstdio>
#include <cstdlib>
__global__ void dilate(const int* in, int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int m = 0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) { int p = (y + j) * w + x + i; if (p >= 0 && p < w * h) m = max(m, in[p]); }
    out[y * w + x] = m;
}
int main()
{
    int w = 60, h = 40, n = w * h; int *a = (int*)malloc(n * 4), *b = (int*)malloc(n * 4), *d, *o;
    for (int i = 0; i < n; i++) a[i] = rand() % 1000;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMemcpy(d, a, n * 4, cudaMemcpyHostToDevice);
    dilate<<<dim3(4, 3), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(b, o, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        int m = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) m = a[(y + j) * w + x + i] > m ? a[(y + j) * w + x + i] : m;
        bad += m != b[y * w + x];
    }
    printf("%s\n", bad ? "FAILED" : "PASSED"); cudaFree(d); cudaFree(o); free(a); free(b); return bad != 0;
}
