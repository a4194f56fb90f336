// expects: exited 0
// expects: launches 1
// The function's coefficients are in an array of main()'s: what it takes of each neighbour is said, and nothing else.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define R 2

__constant__ float f[2 * R + 1];

__global__ void columns(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -R; k <= R; k++)
        if (y + k >= 0 && y + k < h) s += (k == 1 ? 2 : 1) * f[k + R] * in[(y + k) * w + x];
    out[y * w + x] = s; // finds: wrong-result
}

void columns_cpu(const float *in, const float *c, float *out, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s = 0;
            for (int k = -R; k <= R; k++)
                if (y + k >= 0 && y + k < h) s += c[k + R] * in[(y + k) * w + x];
            out[y * w + x] = s;
        }
}

int main() {
    const int w = 60, h = 44;
    size_t bytes = w * h * sizeof(float);
    float c[2 * R + 1] = {1, 4, 6, 4, 1};
    float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *got = (float *)malloc(bytes);
    for (int i = 0; i < w * h; i++) in[i] = (float)(i * 7919 % 256);
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMemcpyToSymbol(f, c, sizeof(c));
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    columns<<<dim3(4, 3), dim3(16, 16)>>>(d_in, d_out, w, h);
    cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost);
    columns_cpu(in, c, out, w, h);
    printf("gpu %.1f cpu %.1f\n", got[5 * w + 5], out[5 * w + 5]);
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    free(got);
}
