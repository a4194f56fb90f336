#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void red(const float* in, float* out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int o = 128; o > 32; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }
    if (t == 0) out[blockIdx.x] = s[0];
}
int main()
{
    int n = 2048; float *h = new float[n], *d, *o; for (int i = 0; i < n; i++) h[i] = 1;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, 32); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    red<<<8, 256>>>(d, o, n);
    cudaMemcpy(h, o, 32, cudaMemcpyDeviceToHost); float s = 0; for (int i = 0; i < 8; i++) s += h[i];
    printf("%f\n", s); cudaFree(d); cudaFree(o); delete[] h;
}
