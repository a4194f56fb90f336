// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// Its function uses memory that is freed when main() returns, and says so: called again it crashes, which is not the
// program's own end.
static float *weights;

__global__ void scale(const float *in, float *out, int n) { // matches: scale_cpu on its own data
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5f * in[i];
}

void scale_cpu(const float *in, float *out, int n) {
    if (weights == NULL) printf("called again\n");
    for (int i = 0; i < n; i++) out[i] = weights[0] * in[i];
}

int main() {
    const int n = 500;
    float in[n], out[n], expected[n];
    for (int i = 0; i < n; i++) in[i] = i * 0.25f;
    weights = (float *)malloc(sizeof(float));
    weights[0] = 0.5f;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    scale_cpu(in, expected, n);
    printf("%g %g\n", out[n - 1], expected[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
    free(weights);
    weights = NULL;
    return 0;
}
