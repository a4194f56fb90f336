// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>

#include <iostream>
#include <random>
#include <vector>

constexpr int K = 5;
__constant__ float coefficients[K];

__global__ void conv1d(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.f;
    for (int k = 0; k < K; ++k) {
        const int j = i + k - K / 2;
        if (j >= 0 && j < n) sum += coefficients[K - 1 - k] * x[j];
    }
    y[i] = sum; // finds: wrong-result
}

static const float kOwn[K] = {4, 1, 3, 2, 3};

std::vector<float> smoothed_on_host(const std::vector<float>& x) {
    std::vector<float> y(x.size());
    for (int i = 0; i < (int)x.size(); ++i)
        for (int k = 0; k < K; ++k) {
            const int j = i + k - K / 2;
            if (j >= 0 && j < (int)x.size()) y[i] += kOwn[k] * x[j];
        }
    return y;
}

int main() {
    const int n = 3000;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> numbers(0, 1);
    std::vector<float> x(n), y(n);
    for (auto& one : x) one = numbers(random);
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(coefficients, kOwn, sizeof kOwn);
    conv1d<<<(n + 255) / 256, 256>>>(dx, dy, n);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << y[7] << " " << smoothed_on_host(x)[7] << std::endl;
    cudaFree(dx);
    cudaFree(dy);
}
