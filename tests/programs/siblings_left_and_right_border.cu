// expects: exited 0
// expects: launches 2
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// Each writes points of its own: they differ everywhere.
__global__ void border_left(float *u, int nx, int ny) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < ny) u[y * nx] = 1;
}

__global__ void border_right(float *u, int nx, int ny) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < ny) u[y * nx + nx - 1] = 0.5f * u[y * nx + nx - 2];
}

int main() {
    const int nx = 64, ny = 48;
    std::vector<float> h(nx * ny, 0.25f);
    float *u;
    cudaMalloc(&u, nx * ny * sizeof(float));
    cudaMemcpy(u, h.data(), nx * ny * sizeof(float), cudaMemcpyHostToDevice);
    border_left<<<1, 64>>>(u, nx, ny);
    border_right<<<1, 64>>>(u, nx, ny);
    cudaMemcpy(h.data(), u, nx * ny * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f %f\n", h[0], h[nx - 1]);
    cudaFree(u);
}
