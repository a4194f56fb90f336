// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void mean(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
}

int main() {
    const int n = 1000;
    float *h = (float *)malloc(n * sizeof(float)), *d_in, *d_out;
    for (int i = 0; i < n; i++) h[i] = i % 7;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n);  // finds: elements-as-bytes
    cudaMemcpy(d_in, h, n * sizeof(float), cudaMemcpyHostToDevice);
    mean<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    cudaMemcpy(h, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", h[500]);
    cudaFree(d_in);
    cudaFree(d_out);
    free(h);
}
