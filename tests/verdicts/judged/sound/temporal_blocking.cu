// two steps per launch with a halo of 2; compared with two single steps on the GPU
#include <cstdio>
#include <vector>
#include <cmath>
#define T 64
__global__ void one(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = i > 0 && i < n - 1 ? 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1] : a[i]; }
__global__ void two(const float* a, float* b, int n)
{
    __shared__ float s[2][T + 4];
    int g = blockIdx.x * T - 2;
    for (int k = threadIdx.x; k < T + 4; k += blockDim.x) s[0][k] = g + k >= 0 && g + k < n ? a[g + k] : 0.f;
    __syncthreads();
    for (int k = threadIdx.x + 1; k < T + 3; k += blockDim.x) { int i = g + k; s[1][k] = i > 0 && i < n - 1 ? 0.25f * s[0][k - 1] + 0.5f * s[0][k] + 0.25f * s[0][k + 1] : s[0][k]; }
    __syncthreads();
    int k = threadIdx.x + 2, i = g + k;
    if (i < n) b[i] = i > 0 && i < n - 1 ? 0.25f * s[1][k - 1] + 0.5f * s[1][k] + 0.25f * s[1][k + 1] : s[1][k];
}
int main()
{
    int n = 777; std::vector<float> h(n), r(n), q(n); for (int i = 0; i < n; i++) h[i] = (i * 7919) % 101;
    float *a, *b, *c, *d; for (float** p : {&a, &b, &c, &d}) cudaMalloc(p, n * 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    one<<<(n + 63) / 64, 64>>>(a, b, n); one<<<(n + 63) / 64, 64>>>(b, c, n);
    two<<<(n + T - 1) / T, T>>>(a, d, n);
    cudaMemcpy(r.data(), c, n * 4, cudaMemcpyDeviceToHost); cudaMemcpy(q.data(), d, n * 4, cudaMemcpyDeviceToHost);
    float e = 0; for (int i = 0; i < n; i++) e = fmaxf(e, fabsf(r[i] - q[i]));
    printf("max diff %g\n", e); for (float* p : {a, b, c, d}) cudaFree(p); return e > 1e-5f;
}
