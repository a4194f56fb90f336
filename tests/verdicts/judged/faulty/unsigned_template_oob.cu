// out has one element too few
#include <cstdio>
#include <cstdlib>
template <unsigned BS> __global__ void reduce(const float* in, float* out, unsigned n)
{
    __shared__ float s[BS]; unsigned t = threadIdx.x, i = blockIdx.x * BS + t;
    s[t] = i < n ? in[i] : 0; __syncthreads();
    for (unsigned o = BS / 2; o; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (!t) out[blockIdx.x] = s[0];
}
int main()
{
    unsigned n = 1000; float *h = (float*)malloc(n * 4), *d, *p; for (unsigned i = 0; i < n; i++) h[i] = 1;
    cudaMalloc(&d, n * 4); cudaMalloc(&p, n / 128 * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    reduce<128><<<(n + 127) / 128, 128>>>(d, p, n);
    cudaMemcpy(h, p, n / 128 * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[0]); cudaFree(d); cudaFree(p); free(h);
}
