#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
__global__ void magnitude(const float* u, float* v, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
 {
        int i = y * w + x;
        float gx = u[i + 1] - u[i - 1], gy = u[i + w] - u[i - w];
        v[i] = sqrtf(gx * gx + gy * gy);
    }
}
void taxicab(const float* u, float* v, int w, int h) {
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        int i = y * w + x;
        float gx = u[i + 1] - u[i - 1], gy = u[i + w] - u[i - w];
        v[i] = fabsf(gx) + fabsf(gy);
    }
}

int main() {
    const int W = 50, H = 42, n = W * H;
    float* in = (float*)malloc(n * sizeof(float));
    float* a = (float*)calloc(n, sizeof(float));
    float* b = (float*)calloc(n, sizeof(float));
    srand(5);
    for (int i = 0; i < n; i++) in[i] = (i % 50 - 25) * (i % 50 - 25) + (i / 50 - 20) * (i / 50 - 20) < 100 ? 1.0f : 0.0f;
    float *di, *dout;
    cudaMalloc(&di, n * sizeof(float));
    cudaMalloc(&dout, n * sizeof(float));
    cudaMemcpy(di, in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, n * sizeof(float));
    dim3 t(16, 16), g((W + 15) / 16, (H + 15) / 16);
    magnitude<<<g, t>>>(di, dout, W, H);
    cudaMemcpy(a, dout, n * sizeof(float), cudaMemcpyDeviceToHost);
    taxicab(in, b, W, H);
    printf("%g %g\n", a[5 * W + 7], b[5 * W + 7]);
    cudaFree(di); cudaFree(dout); free(in); free(a); free(b);
    return 0;
}
