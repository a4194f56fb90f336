#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
__global__ void sum4(const float* u, float* v, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
 {
        int i = y * w + x;
        v[i] = u[i - 1] + u[i + 1] + u[i - w] + u[i + w];
    }
}
void mean4(const float* u, float* v, int w, int h) {
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        int i = y * w + x;
        v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w]);
    }
}

int main() {
    const int W = 50, H = 42, n = W * H;
    float* in = (float*)malloc(n * sizeof(float));
    float* a = (float*)calloc(n, sizeof(float));
    float* b = (float*)calloc(n, sizeof(float));
    srand(5);
    for (int i = 0; i < n; i++) in[i] = (float)rand() / RAND_MAX;
    float *di, *dout;
    cudaMalloc(&di, n * sizeof(float));
    cudaMalloc(&dout, n * sizeof(float));
    cudaMemcpy(di, in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, n * sizeof(float));
    dim3 t(16, 16), g((W + 15) / 16, (H + 15) / 16);
    sum4<<<g, t>>>(di, dout, W, H);
    cudaMemcpy(a, dout, n * sizeof(float), cudaMemcpyDeviceToHost);
    mean4(in, b, W, H);
    printf("%g %g\n", a[5 * W + 7], b[5 * W + 7]);
    cudaFree(di); cudaFree(dout); free(in); free(a); free(b);
    return 0;
}
