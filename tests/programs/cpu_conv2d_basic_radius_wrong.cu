// expects: exited 0
// expects: launches 2
// What conv_basic is given is wrong. conv_cpu computes what conv_cached does; that conv_basic is to compute the same, only
// its name says, and a name is no evidence.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define R 2
#define FD (2 * R + 1)
#define TILE 16

__constant__ float filter[FD][FD];

__global__ void conv_basic(const float *N, const float *F, float *P, int r, int width, int height) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int w = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || w >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < 2 * r + 1; i++)
        for (int j = 0; j < 2 * r + 1; j++) {
            int y = w - r + i, x = c - r + j;
            if (y >= 0 && y < height && x >= 0 && x < width) sum += F[i * (2 * r + 1) + j] * N[y * width + x];
        }
    P[w * width + c] = sum;
}

__global__ void conv_cached(const float *N, float *P, int width, int height) { // matches: conv_cpu
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    __shared__ float t[TILE][TILE];
    t[threadIdx.y][threadIdx.x] = row < height && col < width ? N[row * width + col] : 0.0f;
    __syncthreads();
    if (col >= width || row >= height) return;
    float v = 0.0f;
    for (int i = 0; i < FD; i++)
        for (int j = 0; j < FD; j++) {
            int x = (int)threadIdx.x - R + j, y = (int)threadIdx.y - R + i;
            int gx = col - R + j, gy = row - R + i;
            if (x >= 0 && x < TILE && y >= 0 && y < TILE) v += filter[i][j] * t[y][x];
            else if (gy >= 0 && gy < height && gx >= 0 && gx < width) v += filter[i][j] * N[gy * width + gx];
        }
    P[row * width + col] = v;
}

void conv_cpu(const float *N, const float *F, float *P, int r, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float s = 0.0f;
            for (int i = -r; i <= r; i++)
                for (int j = -r; j <= r; j++)
                    if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
                        s += F[(i + r) * (2 * r + 1) + j + r] * N[(y + i) * width + x + j];
            P[y * width + x] = s;
        }
}

int main() {
    int width = 50, height = 38;
    size_t bytes = width * height * sizeof(float);
    float *h_N = (float *)malloc(bytes), *h_P = (float *)malloc(bytes), *h_ref = (float *)malloc(bytes);
    float h_F[FD * FD];
    for (int i = 0; i < width * height; i++) h_N[i] = (float)(rand() % 100) / 10.0f;
    for (int i = 0; i < FD * FD; i++) h_F[i] = 1.0f / (FD * FD);  // a mean: all are equal
    float *d_N, *d_F, *d_P;
    cudaMalloc(&d_N, bytes);
    cudaMalloc(&d_F, sizeof(h_F));
    cudaMalloc(&d_P, bytes);
    cudaMemcpy(d_N, h_N, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_F, h_F, sizeof(h_F), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(filter, h_F, sizeof(h_F));
    dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    conv_basic<<<grid, block>>>(d_N, d_F, d_P, R - 1, width, height);
    cudaMemcpy(h_P, d_P, bytes, cudaMemcpyDeviceToHost);
    printf("%f\n", h_P[0]);
    conv_cached<<<grid, block>>>(d_N, d_P, width, height);
    cudaMemcpy(h_P, d_P, bytes, cudaMemcpyDeviceToHost);
    conv_cpu(h_N, h_F, h_ref, R, width, height);
    printf("%f %f\n", h_P[0], h_ref[0]);
    cudaFree(d_N);
    cudaFree(d_F);
    cudaFree(d_P);
    free(h_N);
    free(h_P);
    free(h_ref);
}
