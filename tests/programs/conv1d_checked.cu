// expects: exited 0
// expects: launches 1
// expects: prints PASSED
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define RADIUS 3
#define FILTER_SIZE (2 * RADIUS + 1)
#define BLOCK 128

__constant__ float d_filter[FILTER_SIZE];

__global__ void conv1d(const float *in, float *out, int n) {  // matches: conv1d_cpu
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        int j = i + k;
        if (j >= 0 && j < n) sum += in[j] * d_filter[k + RADIUS];
    }
    out[i] = sum;
}

void conv1d_cpu(const float *in, const float *filter, float *out, int n) {
    for (int i = 0; i < n; i++) {
        out[i] = 0.0f;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n) out[i] += in[i + k] * filter[k + RADIUS];
    }
}

int main(void) {
    float *h_in = (float *)malloc(N * sizeof(float));
    float *h_out = (float *)malloc(N * sizeof(float));
    float *h_ref = (float *)malloc(N * sizeof(float));
    float h_filter[FILTER_SIZE] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};
    srand(7);
    for (int i = 0; i < N; i++) h_in[i] = rand() / (float)RAND_MAX;

    float *d_in, *d_out;
    cudaMalloc(&d_in, N * sizeof(float));
    cudaMalloc(&d_out, N * sizeof(float));
    cudaMemcpy(d_in, h_in, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_filter, h_filter, sizeof(h_filter));

    conv1d<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, N);
    cudaMemcpy(h_out, d_out, N * sizeof(float), cudaMemcpyDeviceToHost);

    conv1d_cpu(h_in, h_filter, h_ref, N);
    double worst = 0.0;
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(h_out[i] - h_ref[i]));
    printf("largest difference %g: %s\n", worst, worst < 1e-5 ? "PASSED" : "FAILED");

    cudaFree(d_in);
    cudaFree(d_out);
    free(h_in);
    free(h_out);
    free(h_ref);
    return worst < 1e-5 ? 0 : 1;
}
