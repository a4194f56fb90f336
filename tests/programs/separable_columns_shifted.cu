// expects: exited 0
// expects: launches 2
// The pass over rows is right; that over columns begins one row too far down.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define R 2

__constant__ float f[2 * R + 1];

__global__ void conv_rows(const float *in, float *out, int w, int h) { // matches: rows_cpu
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -R; k <= R; k++)
        if (x + k >= 0 && x + k < w) s += f[k + R] * in[y * w + x + k];
    out[y * w + x] = s;
}

__global__ void conv_columns(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int k = -R; k <= R; k++)
        if (y + k + 1 >= 0 && y + k + 1 < h) s += f[k + R] * in[(y + k + 1) * w + x];
    out[y * w + x] = s; // finds: wrong-result
}

void rows_cpu(const float *in, const float *c, float *out, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s = 0;
            for (int k = -R; k <= R; k++)
                if (x + k >= 0 && x + k < w) s += c[k + R] * in[y * w + x + k];
            out[y * w + x] = s;
        }
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
    float *in = (float *)malloc(bytes), *mid = (float *)malloc(bytes), *out = (float *)malloc(bytes), *got = (float *)malloc(bytes);
    for (int i = 0; i < w * h; i++) in[i] = (float)(rand() % 256);
    float *d_in, *d_mid, *d_out;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_mid, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMemcpyToSymbol(f, c, sizeof(c));
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    conv_rows<<<grid, block>>>(d_in, d_mid, w, h);
    conv_columns<<<grid, block>>>(d_mid, d_out, w, h);
    cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost);
    rows_cpu(in, c, mid, w, h);
    columns_cpu(mid, c, out, w, h);
    printf("gpu %.1f cpu %.1f\n", got[5 * w + 5], out[5 * w + 5]);
    cudaFree(d_in);
    cudaFree(d_mid);
    cudaFree(d_out);
    free(in);
    free(mid);
    free(out);
    free(got);
}
