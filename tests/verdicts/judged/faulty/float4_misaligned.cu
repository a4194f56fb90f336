#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void cp4(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (4 * x + 3 < w) {
        float4 v = *(const float4*)(in + y * w + 4 * x);
        v.x *= 2; v.y *= 2; v.z *= 2; v.w *= 2;
        *(float4*)(out + y * w + 4 * x) = v;
    }
}
int main()
{
    int w = 102, h = 10, n = w * h; float *hi = new float[n], *d, *o;
    for (int i = 0; i < n; i++) hi[i] = rand() % 100;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, n * 4); cudaMemcpy(d, hi, n * 4, cudaMemcpyHostToDevice); cudaMemset(o, 0, n * 4);
    cp4<<<dim3(1, h), 32>>>(d, o, w, h);
    cudaMemcpy(hi, o, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", hi[0]); cudaFree(d); cudaFree(o); delete[] hi;
}
