// CPU clamps at zero, the kernel does not; the program's data are positive
#include <cstdio>
#include <cmath>
#include <vector>
__global__ void relu(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = 2 * a[i]; }
void relu_cpu(const float* a, float* b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] > 0 ? 2 * a[i] : 0; }
int main()
{
    int n = 600; std::vector<float> h(n), g(n), c(n); for (int i = 0; i < n; i++) h[i] = 1 + i % 7; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    relu<<<5, 128>>>(a, b, n); cudaMemcpy(g.data(), b, n * 4, cudaMemcpyDeviceToHost); relu_cpu(h.data(), c.data(), n);
    int bad = 0; for (int i = 0; i < n; i++) bad += fabsf(g[i] - c[i]) > 1e-3f; puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); return bad != 0;
}
