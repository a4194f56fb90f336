// expects: exited 0
// expects: launches 2
// expects: explains it takes u[y - 1][x] × 0.25 where heat_direct takes it × 0.125, and it does not take u[y + 1][x], which heat_direct takes × 0.125
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// Only one of the two takes a neighbour twice.
__global__ void heat_direct(const float *u, float *v, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v[y * nx + x] = 0.5f * u[y * nx + x] + 0.125f * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
}

__global__ void heat_summed(const float *u, float *v, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        float s = u[y * nx + x - 1] + u[y * nx + x + 1];
        s += u[(y - 1) * nx + x] + u[(y - 1) * nx + x]; // finds: neighbour-twice
        v[y * nx + x] = 0.5f * u[y * nx + x] + 0.125f * s; // finds: wrong-result
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
    cudaMemcpy(b, h.data(), nx * ny * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid(4, 3);
    heat_direct<<<grid, block>>>(a, b, nx, ny);
    cudaMemcpy(h.data(), b, nx * ny * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[100]);
    heat_summed<<<grid, block>>>(a, b, nx, ny);
    cudaMemcpy(h.data(), b, nx * ny * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h[100]);
    cudaFree(a);
    cudaFree(b);
}
