// expects: exited 1
// expects: launches 2
// expects: prints an illegal memory access was encountered
#include <stdio.h>
#include <stdlib.h>

__global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;  // finds: out-of-bounds
}

int main() {
    int n = 100;
    float *h_in = (float *)malloc(n * sizeof(float));
    float *d_out;
    for (int i = 0; i < n; i++) h_in[i] = i;
    cudaMalloc(&d_out, n * sizeof(float));
    smooth<<<1, 128>>>(h_in, d_out, n);  // finds: host-pointer
    smooth<<<1, 128>>>(d_out, d_out, n);  // fails: earlier kernel failed
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    cudaFree(d_out);
    free(h_in);
    return error != cudaSuccess;
}
