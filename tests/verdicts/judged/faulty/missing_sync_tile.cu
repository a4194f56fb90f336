#include <cstdio>
#include <cstdlib>
#include <cmath>

#define TILE 16
#define R 1
__constant__ float F[3][3];
__global__ void conv(const float* in, float* out, int w, int h)
{
    __shared__ float s[TILE + 2][TILE + 2];
    int bx = blockIdx.x * TILE, by = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < TILE + 2; y += TILE)
        for (int x = threadIdx.x; x < TILE + 2; x += TILE) {
            int gx = bx + x - R, gy = by + y - R;
            s[y][x] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0.f;
        }
    int x = bx + threadIdx.x, y = by + threadIdx.y;
    if (x >= w || y >= h) return;
    float v = 0;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) v += F[i][j] * s[threadIdx.y + i][threadIdx.x + j];
    out[y * w + x] = v;
}
int main()
{
    int w = 100, h = 60; size_t b = w * h * sizeof(float);
    float* hi = (float*)malloc(b); for (int i = 0; i < w * h; i++) hi[i] = rand() % 10;
    float f[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, *d, *o;
    cudaMalloc(&d, b); cudaMalloc(&o, b);
    cudaMemcpy(d, hi, b, cudaMemcpyHostToDevice); cudaMemcpyToSymbol(F, f, sizeof f);
    conv<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(hi, o, b, cudaMemcpyDeviceToHost);
    printf("%f\n", hi[0]);
    cudaFree(d); cudaFree(o); free(hi);
}
