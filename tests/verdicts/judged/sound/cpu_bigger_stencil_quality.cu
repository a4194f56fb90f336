// sharpness measure on the CPU (Laplacian) of the input picture, GPU blurs; same signature
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void blur(const float* in, float* out, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return; if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { out[y * w + x] = in[y * w + x]; return; } float s = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i]; out[y * w + x] = s / 9; }
float sharpness(const float* p, float* lap, int w, int h) { double s = 0; for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) { lap[y * w + x] = p[y * w + x - 1] + p[y * w + x + 1] + p[(y - 1) * w + x] + p[(y + 1) * w + x] - 4 * p[y * w + x]; s += lap[y * w + x] * lap[y * w + x]; } return s / (w * h); }
int main()
{
    int w = 75, h = 45, n = w * h; float *in = new float[n], *lap = new float[n](), *o = new float[n], *a, *b; for (int i = 0; i < n; i++) in[i] = rand() % 256;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, in, n * 4, cudaMemcpyHostToDevice);
    float s0 = sharpness(in, lap, w, h);
    blur<<<dim3(5, 3), dim3(16, 16)>>>(a, b, w, h); cudaMemcpy(o, b, n * 4, cudaMemcpyDeviceToHost);
    float s1 = sharpness(o, lap, w, h); printf("sharpness %f -> %f\n", s0, s1); cudaFree(a); cudaFree(b); delete[] in; delete[] lap; delete[] o; return s1 < s0 ? 0 : 1;
}
