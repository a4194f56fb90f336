// expects: exited 0
// expects: launches 1
// sizeof of a parameter that is declared as an array: eight bytes of the filter are copied.
#include <cuda_runtime.h>
#include <stdio.h>

#define R 2
__constant__ float filter[2 * R + 1];

void setFilter(const float coefficients[2 * R + 1]) { cudaMemcpyToSymbol(filter, coefficients, sizeof(coefficients)); } // finds: copy-size

__global__ void conv(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = -R; k <= R; k++)
        if (i + k >= 0 && i + k < n) s += filter[k + R] * in[i + k];
    out[i] = s;
}

void conv_cpu(const float *in, const float *c, float *out, int n) {
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = -R; k <= R; k++)
            if (i + k >= 0 && i + k < n) out[i] += c[k + R] * in[i + k];
    }
}

int main() {
    const int n = 200;
    float c[2 * R + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f}, in[n], out[n], expected[n], *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = (float)(i % 11);
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    setFilter(c);
    conv<<<2, 128>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    conv_cpu(in, c, expected, n);
    printf("%f %f\n", out[7], expected[7]);
    cudaFree(d_in);
    cudaFree(d_out);
}
