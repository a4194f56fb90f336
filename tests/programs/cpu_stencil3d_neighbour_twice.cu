// expects: exited 0
// expects: launches 1
// expects: explains it takes in[z - 1][y][x] × (c5 + c6) where stencil_cpu takes it × c5, and it does not take in[z + 1][y][x], which stencil_cpu takes × c6
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define T 16
#define OUT (T - 2)

__global__ void stencil_registers(float *in, float *out, int n, int c0, int c1, int c2, int c3, int c4, int c5, int c6) {
    int start = blockIdx.z * OUT, j = blockIdx.y * OUT + threadIdx.y - 1, k = blockIdx.x * OUT + threadIdx.x - 1;
    float before = 0, here = 0, after = 0;
    __shared__ float plane[T][T];
    bool inside = j >= 0 && j < n && k >= 0 && k < n;
    if (inside && start >= 1) before = in[(start - 1) * n * n + j * n + k];
    if (inside) here = in[start * n * n + j * n + k];
    plane[threadIdx.y][threadIdx.x] = here;
    for (int i = start; i < start + OUT; i++) {
        if (inside && i + 1 < n) after = in[(i + 1) * n * n + j * n + k];
        __syncthreads();
        if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1 && k >= 1 && k < n - 1 && threadIdx.y >= 1 && threadIdx.y < T - 1 &&
            threadIdx.x >= 1 && threadIdx.x < T - 1)
            out[i * n * n + j * n + k] = c0 * here + c1 * plane[threadIdx.y][threadIdx.x - 1] + // finds: wrong-result
                                         c2 * plane[threadIdx.y][threadIdx.x + 1] + c3 * plane[threadIdx.y - 1][threadIdx.x] + c4 * plane[threadIdx.y + 1][threadIdx.x] +
                                         c5 * before + c6 * before;
        __syncthreads();
        before = here;
        here = after;
        plane[threadIdx.y][threadIdx.x] = after;
    }
}

void stencil_cpu(float *in, float *out, int n, int c0, int c1, int c2, int c3, int c4, int c5, int c6) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                int at = i * n * n + j * n + k;
                out[at] = c0 * in[at] + c1 * in[at - 1] + c2 * in[at + 1] + c3 * in[at - n] + c4 * in[at + n] +
                          c5 * in[at - n * n] + c6 * in[at + n * n];
            }
}

int main() {
    const int n = 30;
    size_t size = n * n * n * sizeof(float);
    float *in = (float *)malloc(size), *out = (float *)malloc(size), *ref = (float *)calloc(n * n * n, sizeof(float));
    for (int i = 0; i < n * n * n; i++) in[i] = (float)rand() / RAND_MAX;
    float *d_in, *d_out;
    cudaMalloc(&d_in, size);
    cudaMalloc(&d_out, size);
    cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, size);
    int blocks = (n + OUT - 1) / OUT;
    stencil_registers<<<dim3(blocks, blocks, blocks), dim3(T, T)>>>(d_in, d_out, n, 1, 1, 1, 1, 1, 1, 1);
    cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
    stencil_cpu(in, ref, n, 1, 1, 1, 1, 1, 1, 1);
    printf("%f %f\n", out[n * n + n + 1], ref[n * n + n + 1]);
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    free(ref);
}
