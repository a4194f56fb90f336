// expects: exited 0
// expects: launches 6
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void heat(const float* u, float* v, int nx, int ny, float a) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v[y * nx + x] = u[y * nx + x] + a * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] // finds: wrong-result
                                             + u[(y - 1) * nx + x] - 4.0f * u[y * nx + x]);
}

void heat_cpu(const float* u, float* v, int nx, int ny, float a) {
    for (int y = 1; y < ny - 1; ++y)
        for (int x = 1; x < nx - 1; ++x)
            v[y * nx + x] = u[y * nx + x] + a * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x]
                                                 + u[(y + 1) * nx + x] - 4.0f * u[y * nx + x]);
}

// A warm square on a cold plate: one step changes few points, around the square's edge.
int main() {
    const int n = 96, steps = 6;
    size_t bytes = n * n * sizeof(float);
    float* h = (float*)calloc(n * n, sizeof(float));
    for (int y = n / 4; y < n / 2; ++y)
        for (int x = n / 4; x < n / 2; ++x) h[y * n + x] = 100.0f;
    float* r0 = (float*)malloc(bytes);
    float* r1 = (float*)malloc(bytes);
    for (int i = 0; i < n * n; ++i) r0[i] = r1[i] = h[i];
    float *a, *b;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid(n / 16, n / 16);
    for (int t = 0; t < steps; ++t) {
        heat_cpu(r0, r1, n, n, 0.2f);
        std::swap(r0, r1);
        heat<<<grid, block>>>(a, b, n, n, 0.2f);
        std::swap(a, b);
    }
    cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost);
    float worst = 0;
    for (int i = 0; i < n * n; ++i) worst = fmaxf(worst, fabsf(h[i] - r0[i]));
    printf("max error %g\n", worst);
    cudaFree(a);
    cudaFree(b);
    free(h);
    free(r0);
    free(r1);
}
