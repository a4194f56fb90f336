#include <cstdio>
#include <cstdlib>
__global__ void hist(const unsigned char* p, int n, int* h) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&h[p[i]], 1); }
__global__ void cdf(const int* h, int n, unsigned char* lut)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = h[t];
    __syncthreads();
    for (int o = 1; o < 256; o <<= 1) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    lut[t] = (unsigned char)(255ll * s[t] / n);
}
__global__ void apply(unsigned char* p, int n, const unsigned char* lut) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = lut[p[i]]; }
int main()
{
    int n = 5000;
    unsigned char *h = (unsigned char*)malloc(n), *d, *l; int* hg;
    for (int i = 0; i < n; i++) h[i] = 60 + (rand() % 60) * (rand() % 60) / 60;
    cudaMalloc(&d, n); cudaMalloc(&l, 256); cudaMalloc(&hg, 256 * sizeof(int));
    cudaMemset(hg, 0, 256 * sizeof(int));
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    hist<<<(n + 255) / 256, 256>>>(d, n, hg);
    cdf<<<1, 256>>>(hg, n, l);
    apply<<<(n + 255) / 256, 256>>>(d, n, l);
    cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost);
    int mx = 0; for (int i = 0; i < n; i++) mx = h[i] > mx ? h[i] : mx;
    printf("brightest %d\n", mx);
    cudaFree(d); cudaFree(l); cudaFree(hg); free(h);
    return 0;
}
