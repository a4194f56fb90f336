#include <cstdio>
#include <cstdlib>
#include <cmath>
template <int BS> __global__ void sum(const float* in, float* out, int n)
{
    __shared__ float s[BS];
    int t = threadIdx.x; float v = 0;
    for (int i = blockIdx.x * BS + t; i < n; i += gridDim.x * BS) v += in[i];
    s[t] = v; __syncthreads();
    for (int o = BS / 2; o; o /= 2) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (!t) out[blockIdx.x] = s[0];
}
int main()
{
    int n = 3000; float *h = (float*)malloc(n * 4), *d, *p, r[8]; double ref = 0;
    for (int i = 0; i < n; i++) { h[i] = rand() % 100 * 0.01f; ref += h[i]; }
    cudaMalloc(&d, n * 4); cudaMalloc(&p, 32); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    sum<128><<<8, 128>>>(d, p, n);
    cudaMemcpy(r, p, 32, cudaMemcpyDeviceToHost);
    double g = 0; for (float v : r) g += v;
    printf("%s\n", fabs(g - ref) < 1e-2 ? "match" : "MISMATCH");
    cudaFree(d); cudaFree(p); free(h); return 0;
}
