// PMPP chapter 7: 2D convolution, one thread per output pixel, zero outside of the image.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t err = (call);                                                    \
        if (err != cudaSuccess) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(2);                                                                 \
        }                                                                            \
    } while (0)

__global__ void convolution_2D_basic_kernel(const float *N, const float *F, float *P, int r, int width, int height) {
    int outCol = blockIdx.x * blockDim.x + threadIdx.x;
    int outRow = blockIdx.y * blockDim.y + threadIdx.y;
    if (outCol >= width || outRow >= height) return;
    float Pvalue = 0.0f;
    for (int fRow = 0; fRow < 2 * r + 1; fRow++) {
        for (int fCol = 0; fCol < 2 * r + 1; fCol++) {
            int inRow = outRow - r + fRow;
            int inCol = outCol - r + fCol;
            if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
                Pvalue += F[fRow * (2 * r + 1) + fCol] * N[inRow * width + inCol];
            }
        }
    }
    P[outRow * width + outCol] = Pvalue;
}

void convolution_cpu(const float *N, const float *F, float *P, int r, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int dy = -r; dy <= r; dy++)
                for (int dx = -r; dx <= r; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= height || xx < 0 || xx >= width) continue;
                    sum += F[(r - dy) * (2 * r + 1) + r - dx] * N[yy * width + xx];
                }
            P[y * width + x] = sum;
        }
}

int main(void) {
    int width = 75, height = 50, r = 2;
    int taps = (2 * r + 1) * (2 * r + 1);
    size_t bytes = width * height * sizeof(float);
    float *h_N = (float *)malloc(bytes), *h_P = (float *)malloc(bytes), *h_ref = (float *)malloc(bytes);
    float *h_F = (float *)malloc(taps * sizeof(float));
    srand(1);
    for (int i = 0; i < width * height; i++) h_N[i] = rand() / (float)RAND_MAX;
    for (int i = 0; i < taps; i++) h_F[i] = expf(-((i / 5 - 2) * (i / 5 - 2) + (i % 5 - 2) * (i % 5 - 2)) / 3.0f);

    float *d_N, *d_F, *d_P;
    CHECK(cudaMalloc((void **)&d_N, bytes));
    CHECK(cudaMalloc((void **)&d_F, taps * sizeof(float)));
    CHECK(cudaMalloc((void **)&d_P, bytes));
    CHECK(cudaMemcpy(d_N, h_N, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_F, h_F, taps * sizeof(float), cudaMemcpyHostToDevice));

    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    convolution_2D_basic_kernel<<<grid, block>>>(d_N, d_F, d_P, r, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_P, d_P, bytes, cudaMemcpyDeviceToHost));

    convolution_cpu(h_N, h_F, h_ref, r, width, height);
    int wrong = 0;
    for (int i = 0; i < width * height; i++)
        if (fabsf(h_P[i] - h_ref[i]) > 1e-4f) wrong++;
    printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
    cudaFree(d_N); cudaFree(d_F); cudaFree(d_P);
    free(h_N); free(h_P); free(h_ref); free(h_F);
    return wrong == 0 ? 0 : 1;
}
