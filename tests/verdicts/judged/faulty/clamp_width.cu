#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void blur(const uchar3* in, uchar3* out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int R = 0, G = 0, B = 0, c = 0;
    for (int j = -r; j <= r; j++) for (int i = -r; i <= r; i++) {
        int xx = min(max(x + i, 0), w), yy = min(max(y + j, 0), h - 1);
        uchar3 p = in[yy * w + xx]; R += p.x; G += p.y; B += p.z; c++;
    }
    out[y * w + x] = make_uchar3(R / c, G / c, B / c);
}
int main()
{
    int w = 70, h = 45, n = w * h; uchar3 *hi = new uchar3[n], *d, *o;
    for (int i = 0; i < n; i++) hi[i] = make_uchar3(rand() % 256, rand() % 256, rand() % 256);
    cudaMalloc(&d, n * 3); cudaMalloc(&o, n * 3); cudaMemcpy(d, hi, n * 3, cudaMemcpyHostToDevice);
    blur<<<dim3(5, 3), dim3(16, 16)>>>(d, o, w, h, 2);
    cudaMemcpy(hi, o, n * 3, cudaMemcpyDeviceToHost); printf("%d\n", hi[100].x); cudaFree(d); cudaFree(o); delete[] hi;
}
