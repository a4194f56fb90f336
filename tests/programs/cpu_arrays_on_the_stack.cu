// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>
#include <stdio.h>

// Small arrays at the end of a large stack frame: their sizes are those of the launch.
__global__ void twice(const float *in, float *out, int n) { // matches: twice_on_host
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

void twice_on_host(const float *in, float *out, int n) {
    for (int i = 0; i < n; i++) out[i] = 2 * in[i];
}

int main() {
    float a[100], b[100], c[100], unused[5000];
    for (int i = 0; i < 5000; i++) unused[i] = i;
    for (int i = 0; i < 100; i++) a[i] = unused[i];
    float *x, *y;
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&y, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    twice<<<4, 32>>>(x, y, 100);
    cudaMemcpy(b, y, sizeof b, cudaMemcpyDeviceToHost);
    twice_on_host(a, c, 100);
    printf("%g %g\n", b[99], c[99]);
    cudaFree(x);
    cudaFree(y);
}
