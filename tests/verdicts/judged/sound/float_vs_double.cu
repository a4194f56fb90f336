#include <cstdio>
#include <cmath>
#include <vector>
__constant__ float c_w[9];
__global__ void conv1d(const float* x, float* y, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = -r; k <= r; k++) { int j = i + k; if (j >= 0 && j < n) s += c_w[k + r] * x[j]; }
    y[i] = s;
}
static void conv1d_double(const std::vector<float>& x, std::vector<double>& y, const float* w, int r)
{
    int n = x.size();
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -r; k <= r; k++) { int j = i + k; if (j >= 0 && j < n) s += (double)w[k + r] * x[j]; }
        y[i] = s;
    }
}
int main()
{
    const int n = 3001, r = 4;
    float w[9]; double sum = 0;
    for (int k = 0; k < 9; k++) sum += w[k] = std::exp(-0.5f * (k - r) * (k - r) / 2.f);
    for (float& v : w) v /= sum;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = 1000.f * std::sin(0.01f * i * i);
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float)); cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpyToSymbol(c_w, w, sizeof(w));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    conv1d<<<(n + 255) / 256, 256>>>(dx, dy, n, r);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::vector<double> ref(n);
    conv1d_double(x, ref, w, r);
    double worst = 0;
    for (int i = 0; i < n; i++) worst = std::fmax(worst, std::fabs(ref[i] - y[i]));
    printf("worst deviation %.3e\n", worst);
    cudaFree(dx); cudaFree(dy);
}
