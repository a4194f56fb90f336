// two kernels, the second compared with the first on the host; different boundary handling outside of the compared region
#include <cstdio>
#include <cstdlib>
#include <cmath>
#define R 2
#define T 16
__constant__ float M[2 * R + 1][2 * R + 1];
__global__ void naive(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++)
            if (x + i >= 0 && x + i < w && y + j >= 0 && y + j < h) s += M[j + R][i + R] * in[(y + j) * w + x + i];
    out[y * w + x] = s;
}
__global__ void tiled_valid(const float* in, float* out, int w, int h)
{
    __shared__ float t[T + 2 * R][T + 2 * R];
    int ox = blockIdx.x * T, oy = blockIdx.y * T;
    for (int k = threadIdx.y * T + threadIdx.x; k < (T + 2 * R) * (T + 2 * R); k += T * T) {
        int ty = k / (T + 2 * R), tx = k % (T + 2 * R);
        if (oy + ty < h && ox + tx < w) t[ty][tx] = in[(oy + ty) * w + ox + tx];
    }
    __syncthreads();
    int x = ox + threadIdx.x, y = oy + threadIdx.y;
    if (x + 2 * R < w && y + 2 * R < h) {
        float s = 0;
        for (int j = 0; j <= 2 * R; j++)
            for (int i = 0; i <= 2 * R; i++) s += M[j][i] * t[threadIdx.y + j][threadIdx.x + i];
        out[y * (w - 2 * R) + x] = s;
    }
}
int main()
{
    int w = 131, h = 67, vw = w - 2 * R, vh = h - 2 * R;
    float *in, *o1, *o2, mask[25];
    float* hin = new float[w * h]; float* h1 = new float[w * h]; float* h2 = new float[vw * vh];
    srand(3);
    for (int i = 0; i < w * h; i++) hin[i] = rand() % 256;
    for (int i = 0; i < 25; i++) mask[i] = (rand() % 100) / 100.f;
    cudaMalloc(&in, w * h * 4); cudaMalloc(&o1, w * h * 4); cudaMalloc(&o2, vw * vh * 4);
    cudaMemcpy(in, hin, w * h * 4, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(M, mask, sizeof mask);
    dim3 b(T, T);
    naive<<<dim3((w + T - 1) / T, (h + T - 1) / T), b>>>(in, o1, w, h);
    tiled_valid<<<dim3((vw + T - 1) / T, (vh + T - 1) / T), b>>>(in, o2, w, h);
    cudaMemcpy(h1, o1, w * h * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(h2, o2, vw * vh * 4, cudaMemcpyDeviceToHost);
    int diff = 0;
    for (int y = 0; y < vh; y++)
        for (int x = 0; x < vw; x++)
            if (fabsf(h1[(y + R) * w + x + R] - h2[y * vw + x]) > 1e-2f) diff++;
    printf("%d differences\n", diff);
    cudaFree(in); cudaFree(o1); cudaFree(o2); delete[] hin; delete[] h1; delete[] h2;
    return diff > 0;
}
