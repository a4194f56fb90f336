// the same launch 20 times, timed
#include <cstdio>
#include <vector>
__global__ void lap(const float* a, float* b, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && y > 0 && x < n - 1 && y < n - 1) b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x] - 4 * a[y * n + x]; }
int main()
{
    int n = 100, runs = 20; std::vector<float> h(n * n); for (int i = 0; i < n * n; i++) h[i] = i % 77;
    float *a, *b; cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMemset(b, 0, n * n * 4); cudaMemcpy(a, h.data(), n * n * 4, cudaMemcpyHostToDevice);
    cudaEvent_t s, e; cudaEventCreate(&s); cudaEventCreate(&e);
    cudaEventRecord(s);
    for (int r = 0; r < runs; r++) lap<<<dim3(7, 13), dim3(16, 8)>>>(a, b, n);
    cudaEventRecord(e); cudaEventSynchronize(e); float ms; cudaEventElapsedTime(&ms, s, e);
    cudaMemcpy(h.data(), b, n * n * 4, cudaMemcpyDeviceToHost);
    printf("%.3f us per run, %.1f GB/s, sample %f\n", ms * 1e3 / runs, 2.0 * n * n * 4 * runs / (ms * 1e6), h[n + 5]);
    cudaEventDestroy(s); cudaEventDestroy(e); cudaFree(a); cudaFree(b);
}
