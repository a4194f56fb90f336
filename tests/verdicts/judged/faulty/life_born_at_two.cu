#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define W 64
#define H 48
__global__ void life(const unsigned char* cur, unsigned char* nxt) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += cur[((y + dy + H) % H) * W + (x + dx + W) % W];
    nxt[y * W + x] = (n == 3) || (n == 2);
}
void lifeCPU(const unsigned char* cur, unsigned char* nxt) {
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += cur[((y + dy + H) % H) * W + (x + dx + W) % W];
        nxt[y * W + x] = (n == 3) || (n == 2 && cur[y * W + x]);
    }
}
int main() {
    unsigned char *a = (unsigned char*)malloc(W*H), *b = (unsigned char*)malloc(W*H), *c = (unsigned char*)malloc(W*H);
    srand(42);
    for (int i = 0; i < W*H; i++) a[i] = rand() % 2;
    unsigned char *da, *db;
    cudaMalloc(&da, W*H); cudaMalloc(&db, W*H);
    cudaMemcpy(da, a, W*H, cudaMemcpyHostToDevice);
    for (int g = 0; g < 8; g++) {
        life<<<dim3(W/16, H/16), dim3(16,16)>>>(da, db);
        unsigned char* t = da; da = db; db = t;
        lifeCPU(a, b);
        t = a; a = b; b = t;
    }
    cudaMemcpy(c, da, W*H, cudaMemcpyDeviceToHost);
    if (memcmp(a, c, W*H) == 0) puts("same"); else puts("different");
    for (int y = 0; y < 4; y++) { for (int x = 0; x < W; x++) putchar(c[y*W+x] ? '#' : '.'); putchar('\n'); }
    free(a); free(b); free(c); cudaFree(da); cudaFree(db);
    return 0;
}
