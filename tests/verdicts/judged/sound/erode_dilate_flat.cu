#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
__global__ void erode(const unsigned char* s, unsigned char* d, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
 {
        int m = 255;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int yy = y + dy, xx = x + dx;
                if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                int v = s[yy * w + xx];
                m = v < m ? v : m;
            }
        d[y * w + x] = m;
    }
}
void dilate(const unsigned char* s, unsigned char* d, int w, int h) {
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        int m = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int yy = y + dy, xx = x + dx;
                if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                int v = s[yy * w + xx];
                m = v > m ? v : m;
            }
        d[y * w + x] = m;
    }
}

int main() {
    const int W = 61, H = 47, n = W * H;
    unsigned char* in = (unsigned char*)malloc(n * sizeof(unsigned char));
    unsigned char* a = (unsigned char*)calloc(n, sizeof(unsigned char));
    unsigned char* b = (unsigned char*)calloc(n, sizeof(unsigned char));
    srand(5);
    for (int i = 0; i < n; i++) in[i] = (i % 61 > 20 && i % 61 < 40 && i / 61 > 10 && i / 61 < 30) ? 200 : 40;
    unsigned char *di, *dout;
    cudaMalloc(&di, n * sizeof(unsigned char));
    cudaMalloc(&dout, n * sizeof(unsigned char));
    cudaMemcpy(di, in, n * sizeof(unsigned char), cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, n * sizeof(unsigned char));
    dim3 t(16, 16), g((W + 15) / 16, (H + 15) / 16);
    erode<<<g, t>>>(di, dout, W, H);
    cudaMemcpy(a, dout, n * sizeof(unsigned char), cudaMemcpyDeviceToHost);
    dilate(in, b, W, H);
    printf("%d %d\n", a[15 * W + 21], b[15 * W + 21]);
    cudaFree(di); cudaFree(dout); free(in); free(a); free(b);
    return 0;
}
