// kernel forgets fabsf; the program's data are increasing
#include <cstdio>
#include <cmath>
#include <vector>
__global__ void slope(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n - 1) b[i] = (a[i + 1] - a[i - 1]) / 2; }
void slope_cpu(const float* a, float* b, int n) { for (int i = 1; i < n - 1; i++) b[i] = fabsf(a[i + 1] - a[i - 1]) / 2; }
int main()
{
    int n = 600; std::vector<float> h(n), g(n, 0.f), c(n, 0.f); for (int i = 0; i < n; i++) h[i] = 0.01f * i * i; float *a, *b;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    slope<<<5, 128>>>(a, b, n); cudaMemcpy(g.data(), b, n * 4, cudaMemcpyDeviceToHost); slope_cpu(h.data(), c.data(), n);
    int bad = 0; for (int i = 0; i < n; i++) bad += fabsf(g[i] - c[i]) > 1e-3f; puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); return bad != 0;
}
