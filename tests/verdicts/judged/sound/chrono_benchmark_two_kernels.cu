// std::chrono, two variants each timed 10 times over the same arrays, then compared
#include <chrono>
#include <cstdio>
#include <vector>
#include <cmath>
template <class F> double timeit(F f) { f(); cudaDeviceSynchronize(); auto t = std::chrono::high_resolution_clock::now(); for (int i = 0; i < 10; i++) f(); cudaDeviceSynchronize(); return std::chrono::duration<double, std::micro>(std::chrono::high_resolution_clock::now() - t).count() / 10; }
__global__ void v1(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; }
__global__ void v2(const float* a, float* b, int n) { __shared__ float s[130]; int t = threadIdx.x, i = blockIdx.x * 128 + t; s[t + 1] = i < n ? a[i] : 0; if (!t) s[0] = i ? a[i - 1] : 0; if (t == 127) s[129] = i + 1 < n ? a[i + 1] : 0; __syncthreads(); if (i > 0 && i < n - 1) b[i] = (s[t] + s[t + 1] + s[t + 2]) / 3; }
int main()
{
    int n = 3000; std::vector<float> h(n), r1(n), r2(n); for (int i = 0; i < n; i++) h[i] = sinf(i); float *a, *b, *c; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4); cudaMemset(b, 0, n * 4); cudaMemset(c, 0, n * 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    double t1 = timeit([&] { v1<<<(n + 127) / 128, 128>>>(a, b, n); }), t2 = timeit([&] { v2<<<(n + 127) / 128, 128>>>(a, c, n); });
    cudaMemcpy(r1.data(), b, n * 4, cudaMemcpyDeviceToHost); cudaMemcpy(r2.data(), c, n * 4, cudaMemcpyDeviceToHost);
    float e = 0; for (int i = 0; i < n; i++) e = fmaxf(e, fabsf(r1[i] - r2[i])); printf("%f us %f us diff %g\n", t1, t2, e); cudaFree(a); cudaFree(b); cudaFree(c);
}
