#include <cstdio>
#include <cmath>
#include <cstdlib>
__global__ void bilateral(const float* in, float* out, int w, int h, float is, float ir)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float c = in[y * w + x], s = 0, n = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
            float v = in[yy * w + xx];
            float g = __expf(-(i * i + j * j) * is - (v - c) * (v - c) * ir);
            s += g * v; n += g;
        }
    out[y * w + x] = __fdividef(s, n);
}
void bilateral_cpu(const float* in, double* out, int w, int h, double is, double ir)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double c = in[y * w + x], s = 0, n = 0;
            for (int j = -2; j <= 2; j++)
                for (int i = -2; i <= 2; i++) {
                    int xx = std::min(std::max(x + i, 0), w - 1), yy = std::min(std::max(y + j, 0), h - 1);
                    double v = in[yy * w + xx], g = exp(-(i * i + j * j) * is - (v - c) * (v - c) * ir);
                    s += g * v; n += g;
                }
            out[y * w + x] = s / n;
        }
}
int main()
{
    int w = 70, h = 50;
    float *d, *o, *a = (float*)malloc(w * h * 4), *b = (float*)malloc(w * h * 4);
    double* r = (double*)malloc(w * h * 8);
    for (int i = 0; i < w * h; i++) a[i] = (rand() % 256) / 255.f;
    cudaMalloc(&d, w * h * 4); cudaMalloc(&o, w * h * 4);
    cudaMemcpy(d, a, w * h * 4, cudaMemcpyHostToDevice);
    bilateral<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, o, w, h, 0.1f, 8.f);
    cudaMemcpy(b, o, w * h * 4, cudaMemcpyDeviceToHost);
    bilateral_cpu(a, r, w, h, 0.1, 8);
    double psnr = 0;
    for (int i = 0; i < w * h; i++) psnr += (b[i] - r[i]) * (b[i] - r[i]);
    psnr = 10 * log10(1.0 / (psnr / (w * h) + 1e-20));
    printf("PSNR %.1f dB %s\n", psnr, psnr > 60 ? "PASSED" : "FAILED");
    cudaFree(d); cudaFree(o); free(a); free(b); free(r);
}
