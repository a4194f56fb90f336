#include <iostream>
#include <vector>
#include <cmath>
#include <random>
__global__ void add(const float* a, const float* b, float* c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
__global__ void smooth(const float* a, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = a[i]; int k = 1;
    if (i > 0) { s += a[i - 1]; k++; }
    if (i < n - 1) { s += a[i + 1]; k++; }
    c[i] = s / k;
}
__global__ void square(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= a[i]; }
std::vector<float> smoothCPU(const std::vector<float>& a)
{
    std::vector<float> c(a.size());
    for (size_t i = 0; i < a.size(); i++) {
        float s = a[i]; int k = 1;
        if (i > 0) { s += a[i - 1]; k++; }
        if (i + 1 < a.size()) { s += a[i + 1]; k++; }
        c[i] = s / k;
    }
    return c;
}
int main()
{
    const int n = 777;
    std::mt19937 gen(42);
    std::normal_distribution<float> d;
    std::vector<float> a(n), b(n), s(n), out(n);
    for (auto& v : a) v = d(gen);
    for (auto& v : b) v = d(gen);
    float *da, *db, *dc, *dd;
    cudaMalloc(&da, n * 4); cudaMalloc(&db, n * 4); cudaMalloc(&dc, n * 4); cudaMalloc(&dd, n * 4);
    cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    smooth<<<(n + 255) / 256, 256>>>(dc, dd, n);
    cudaMemcpy(s.data(), dd, n * 4, cudaMemcpyDeviceToHost);
    square<<<(n + 255) / 256, 256>>>(dd, n);
    cudaMemcpy(out.data(), dd, n * 4, cudaMemcpyDeviceToHost);
    std::vector<float> sum(n);
    for (int i = 0; i < n; i++) sum[i] = a[i] + b[i];
    auto ref = smoothCPU(sum);
    int bad = 0;
    for (int i = 0; i < n; i++) if (std::fabs(ref[i] - s[i]) > 1e-5f) bad++;
    std::cout << (bad ? "FAILED" : "ok") << " energy " << out[n / 2] << std::endl;
    cudaFree(da); cudaFree(db); cudaFree(dc); cudaFree(dd);
    return bad != 0;
}
