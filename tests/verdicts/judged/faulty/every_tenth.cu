// only every 10th element is compared; the kernel is wrong in lane 31
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void diff(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; float v = i < n ? a[i] * a[i] : 0.f, r = __shfl_down_sync(0xffffffff, v, 1);
    if (i < n - 1) b[i] = r - v;
}
int main()
{
    int n = 1024; std::vector<float> h(n), g(n); for (int i = 0; i < n; i++) h[i] = (i * 5) % 17; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(b, 0, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    diff<<<8, 128>>>(a, b, n); cudaMemcpy(g.data(), b, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0; for (int i = 0; i < n - 1; i += 16) bad += fabsf(g[i] - (h[i + 1] * h[i + 1] - h[i] * h[i])) > 1e-4f; printf("%s\n", bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); return bad != 0;
}
