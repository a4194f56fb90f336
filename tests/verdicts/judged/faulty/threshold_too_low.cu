#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <algorithm>
__global__ void k(const float* a, int* b, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    b[y * w + x] = a[y * w + x] > 5.f ? 1 : 0;
}
void ref(const float* a, int* b, int w, int h) {
    for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) {
    b[y * w + x] = a[y * w + x] > 7.f ? 1 : 0;
    }
}
int main() {
    const int w = 70, h = 50, n = w * h;
    std::vector<float> x(n);
    std::vector<int> y(n), r(n);
    srand(1);
    for (int i = 0; i < n; ++i) x[i] = rand() % 100 / 7.f;
    float* a; int* b;
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(b, 0, n * sizeof(int));
    k<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h);
    cudaMemcpy(y.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost);
    ref(x.data(), r.data(), w, h);
    long s = 0; for (int v : y) s += v; printf("%ld set\n", s);
    cudaFree(a); cudaFree(b);
    return 0;
}
