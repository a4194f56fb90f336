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
        for (int dy = -1; dy < 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int yy = y + dy, xx = x + dx;
                if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                int v = s[yy * w + xx];
                m = v < m ? v : m;
            }
        d[y * w + x] = m;
    }
}
void erodeCPU(const unsigned char* s, unsigned char* d, int w, int h) {
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
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

int main() {
    const int W = 61, H = 47, n = W * H;
    unsigned char* in = (unsigned char*)malloc(n * sizeof(unsigned char));
    unsigned char* a = (unsigned char*)calloc(n, sizeof(unsigned char));
    unsigned char* b = (unsigned char*)calloc(n, sizeof(unsigned char));
    srand(5);
    for (int i = 0; i < n; i++) in[i] = rand() % 256;
    unsigned char *di, *dout;
    cudaMalloc(&di, n * sizeof(unsigned char));
    cudaMalloc(&dout, n * sizeof(unsigned char));
    cudaMemcpy(di, in, n * sizeof(unsigned char), cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, n * sizeof(unsigned char));
    dim3 t(16, 16), g((W + 15) / 16, (H + 15) / 16);
    erode<<<g, t>>>(di, dout, W, H);
    cudaMemcpy(a, dout, n * sizeof(unsigned char), cudaMemcpyDeviceToHost);
    erodeCPU(in, b, W, H);
    long ea = 0, eb = 0; for (int i = 0; i < n; i++) { ea += a[i]; eb += b[i]; }
    printf("%ld %ld\n", ea, eb);
    cudaFree(di); cudaFree(dout); free(in); free(a); free(b);
    return 0;
}
