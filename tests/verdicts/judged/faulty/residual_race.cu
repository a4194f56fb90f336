#include <cstdio>
#include <cstdlib>
#include <cmath>

__global__ void residual(const float* u, const float* v, float* r, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x; float d = i < n ? u[i] - v[i] : 0.f;
    s[threadIdx.x] = d * d; __syncthreads();
    for (int o = 64; o; o /= 2) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); }
    if (threadIdx.x == 0) *r += s[0];
}
int main()
{
    int n = 1000; float *h = new float[n], *a, *b, *r, hr = 0; for (int i = 0; i < n; i++) h[i] = i % 11;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&r, 4); cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice); cudaMemset(b, 0, n * 4); cudaMemcpy(r, &hr, 4, cudaMemcpyHostToDevice);
    residual<<<8, 128>>>(a, b, r, n);
    cudaMemcpy(&hr, r, 4, cudaMemcpyDeviceToHost); printf("%f\n", hr); cudaFree(a); cudaFree(b); cudaFree(r); delete[] h;
}
