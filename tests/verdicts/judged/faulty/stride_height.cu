#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void med(const float* in, float* out, int width, int height)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < height && c < width) {
        float s = in[r * height + c];
        if (c > 0) s += in[r * height + c - 1];
        if (c < width - 1) s += in[r * height + c + 1];
        out[r * height + c] = s / 3;
    }
}
int main()
{
    int w = 90, h = 60, n = w * h; float *hi = new float[n], *d, *o;
    for (int i = 0; i < n; i++) hi[i] = rand() % 100;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMemcpy(d, hi, n * 4, cudaMemcpyHostToDevice);
    med<<<dim3(6, 4), dim3(16, 16)>>>(d, o, w, h);
    cudaMemcpy(hi, o, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", hi[0]); cudaFree(d); cudaFree(o); delete[] hi;
}
