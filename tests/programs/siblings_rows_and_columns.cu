// expects: exited 0
// expects: launches 2
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// The two passes of a separable filter have the same parameters, and are not meant to compute the same.
__global__ void blur_rows(const float *in, float *out, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) {
        float left = x > 0 ? in[y * nx + x - 1] : 0, right = x < nx - 1 ? in[y * nx + x + 1] : 0;
        out[y * nx + x] = 0.25f * left + 0.5f * in[y * nx + x] + 0.25f * right;
    }
}

__global__ void blur_columns(const float *in, float *out, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) {
        float above = y > 0 ? in[(y - 1) * nx + x] : 0, below = y < ny - 1 ? in[(y + 1) * nx + x] : 0;
        out[y * nx + x] = 0.25f * above + 0.5f * in[y * nx + x] + 0.25f * below;
    }
}

int main() {
    const int nx = 64, ny = 48;
    std::vector<float> h(nx * ny);
    for (int i = 0; i < nx * ny; ++i) h[i] = (i * 37 % 101) * 0.01f;
    float *a, *b;
    cudaMalloc(&a, nx * ny * sizeof(float));
    cudaMalloc(&b, nx * ny * sizeof(float));
    cudaMemcpy(a, h.data(), nx * ny * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid(4, 3);
    blur_rows<<<grid, block>>>(a, b, nx, ny);
    blur_columns<<<grid, block>>>(b, a, nx, ny);
    cudaMemcpy(h.data(), a, nx * ny * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[100]);
    cudaFree(a);
    cudaFree(b);
}
