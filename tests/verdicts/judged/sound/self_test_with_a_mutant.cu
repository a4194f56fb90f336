// A program that ends with success if it rejects a kernel that is wrong on purpose.
#include <cstdio>
#include <vector>
#include <cmath>
#include <cuda_runtime.h>
__global__ void blur_good(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0; int c = 0;
    for (int k = -2; k <= 2; k++) if (i + k >= 0 && i + k < n) { s += x[i + k]; c++; }
    y[i] = s / c;
}
/* deliberately wrong: forgets the borders; the self-test must reject it */
__global__ void blur_mutant(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = -2; k <= 2; k++) if (i + k >= 0 && i + k < n) s += x[i + k];
    y[i] = s / 5;
}
static bool matches(const std::vector<float> &x, const float *dy, int n) {
    std::vector<float> y(n);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        float s = 0; int c = 0;
        for (int j = i - 2; j <= i + 2; j++) if (j >= 0 && j < n) { s += x[j]; c++; }
        if (fabsf(y[i] - s / c) > 1e-4f) return false;
    }
    return true;
}
int main() {
    const int n = 1000;
    std::vector<float> x(n);
    for (int i = 0; i < n; i++) x[i] = 1 + (i * 37 % 101) * 0.01f;
    float *dx, *dy;
    cudaMalloc(&dx, n * 4); cudaMalloc(&dy, n * 4);
    cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
    blur_good<<<4, 256>>>(dx, dy, n);
    bool good = matches(x, dy, n);
    blur_mutant<<<4, 256>>>(dx, dy, n);
    bool mutant = matches(x, dy, n);
    printf("good kernel accepted: %s; mutant rejected: %s\n", good ? "yes" : "NO", mutant ? "NO" : "yes");
    cudaFree(dx); cudaFree(dy);
    return good && !mutant ? 0 : 1;
}
