#include <cstdio>
#include <cstdlib>
#include <cmath>

#define R 1
__global__ void conv(const float* in, const float* f, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) {
        int xx = x + i - R, yy = y + j - R;
        if (xx >= 0 && xx < w && yy >= 0 && yy < h) s += f[i * 3 + j] * in[yy * w + xx];
    }
    out[y * w + x] = s;
}
void conv_cpu(const float* in, const float* f, float* out, int w, int h)
{
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        float s = 0;
        for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) {
            int xx = x + i - R, yy = y + j - R;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h) s += f[j * 3 + i] * in[yy * w + xx];
        }
        out[y * w + x] = s;
    }
}
int main()
{
    int w = 50, h = 40, n = w * h; float f[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    float *hi = new float[n], *ho = new float[n], *hr = new float[n], *d, *o, *df;
    for (int i = 0; i < n; i++) hi[i] = rand() % 100;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMalloc(&df, 36);
    cudaMemcpy(d, hi, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(df, f, 36, cudaMemcpyHostToDevice);
    conv<<<dim3(4, 3), dim3(16, 16)>>>(d, df, o, w, h);
    cudaMemcpy(ho, o, n * 4, cudaMemcpyDeviceToHost);
    conv_cpu(hi, f, hr, w, h);
    int bad = 0; for (int i = 0; i < n; i++) if (fabs(ho[i] - hr[i]) > 1e-3) bad++;
    printf("%d errors\n", bad);
    cudaFree(d); cudaFree(o); cudaFree(df); delete[] hi; delete[] ho; delete[] hr;
    return bad != 0;
}
