#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
__global__ void life(const int* c, int* n, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
 {
        int s = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (dx || dy) s += c[((y + dy + h) % h) * w + (x + dx + w) % w];
        n[y * w + x] = s == 3 || (s == 2 && c[y * w + x]);
    }
}
void highlife(const int* c, int* n, int w, int h) {
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        int s = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (dx || dy) s += c[((y + dy + h) % h) * w + (x + dx + w) % w];
        n[y * w + x] = s == 3 || (s == 6 && !c[y * w + x]) || (s == 2 && c[y * w + x]);
    }
}

int main() {
    const int W = 50, H = 42, n = W * H;
    int* in = (int*)malloc(n * sizeof(int));
    int* a = (int*)calloc(n, sizeof(int));
    int* b = (int*)calloc(n, sizeof(int));
    srand(5);
    for (int i = 0; i < n; i++) in[i] = rand() % 3 == 0;
    int *di, *dout;
    cudaMalloc(&di, n * sizeof(int));
    cudaMalloc(&dout, n * sizeof(int));
    cudaMemcpy(di, in, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, n * sizeof(int));
    dim3 t(16, 16), g((W + 15) / 16, (H + 15) / 16);
    life<<<g, t>>>(di, dout, W, H);
    cudaMemcpy(a, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    highlife(in, b, W, H);
    int alive = 0; for (int i = 0; i < n; i++) alive += a[i];
    int other = 0; for (int i = 0; i < n; i++) other += b[i];
    printf("life %d, highlife %d\n", alive, other);
    cudaFree(di); cudaFree(dout); free(in); free(a); free(b);
    return 0;
}
