#include <cstdio>
#include <cstdlib>
#include <cmath>
template <unsigned BS> __global__ void reduce(const float* in, float* out, unsigned n)
{
    extern __shared__ float s[];
    unsigned t = threadIdx.x, i = blockIdx.x * BS * 2 + t;
    float v = 0;
    while (i < n) { v += in[i]; if (i + BS < n) v += in[i + BS]; i += gridDim.x * BS * 2; }
    s[t] = v;
    __syncthreads();
    if (BS >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
    if (BS >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
    if (t < 32) {
        v = s[t] + s[t + 32];
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
        if (!t) out[blockIdx.x] = v;
    }
}
int main()
{
    unsigned n = 10007;
    float* h = (float*)malloc(n * 4);
    double ref = 0;
    for (unsigned i = 0; i < n; i++) { h[i] = rand() / (float)RAND_MAX - 0.5f; ref += h[i]; }
    float *d, *p, *q, r;
    cudaMalloc(&d, n * 4); cudaMalloc(&p, 8 * 4); cudaMalloc(&q, 4);
    cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    reduce<256><<<8, 256, 256 * 4>>>(d, p, n);
    reduce<128><<<1, 128, 128 * 4>>>(p, q, 8);
    cudaMemcpy(&r, q, 4, cudaMemcpyDeviceToHost);
    printf("gpu %f cpu %f %s\n", r, ref, fabs(r - ref) < 1e-3 ? "match" : "MISMATCH");
    cudaFree(d); cudaFree(p); cudaFree(q); free(h);
    return 0;
}
