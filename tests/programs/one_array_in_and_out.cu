// expects: exited 0
// expects: launches 1
// expects: explains in and out are one array here (launch at line 22)
// The same array is input and output: a block reads elements that another one has replaced already, or not yet.
#include <stdio.h>
#include <stdlib.h>

__global__ void relax(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);  // finds: race-global
}

int main() {
    const int w = 40, h = 40;
    float *a = (float *)malloc(w * h * sizeof(float)), *d_a;
    for (int i = 0; i < w * h; ++i) a[i] = (float)(i % 17);
    cudaMalloc(&d_a, w * h * sizeof(float));
    cudaMemcpy(d_a, a, w * h * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    relax<<<grid, block>>>(d_a, d_a, w, h);
    cudaMemcpy(a, d_a, w * h * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", a[w + 1]);
    cudaFree(d_a);
    free(a);
    return 0;
}
