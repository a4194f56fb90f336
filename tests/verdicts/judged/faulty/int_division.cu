#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void box(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float s = 0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i];
    out[y * w + x] = (1 / 9) * s;
}
int main()
{
    int w = 64, h = 48, n = w * h; float *hi = new float[n], *d, *o;
    for (int i = 0; i < n; i++) hi[i] = rand() % 100;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMemcpy(d, hi, n * 4, cudaMemcpyHostToDevice); cudaMemset(o, 0, n * 4);
    box<<<dim3(4, 3), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(hi, o, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", hi[65]); cudaFree(d); cudaFree(o); delete[] hi;
}
