#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void sobel(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.x + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float gx = in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1] - in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
    out[y * w + x] = fabsf(gx);
}
int main()
{
    int w = 128, h = 96, n = w * h; float *hi = new float[n], *d, *o;
    for (int i = 0; i < n; i++) hi[i] = rand() % 100;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMemcpy(d, hi, n * 4, cudaMemcpyHostToDevice); cudaMemset(o, 0, n * 4);
    sobel<<<dim3(4, 12), dim3(32, 8)>>>(d, o, w, h);
    cudaMemcpy(hi, o, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", hi[w * 5 + 5]); cudaFree(d); cudaFree(o); delete[] hi;
}
