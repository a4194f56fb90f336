#include <cstdio>
#include <cstring>
__global__ void blur(const float* in, float* out, int n, int lo, int hi)
{
    int i = lo + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= hi) return;
    float l = i > 0 ? in[i - 1] : in[i], r = i < n - 1 ? in[i + 1] : in[i];
    out[i] = 0.25f * l + 0.5f * in[i] + 0.25f * r;
}
int main()
{
    const int n = 4096, half = n / 2;
    float *h, *res, *a, *b;
    cudaMallocHost(&h, n * sizeof(float));
    cudaMallocHost(&res, n * sizeof(float));
    for (int i = 0; i < n; i++) h[i] = (i * 37) % 101;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaStream_t s0, s1;
    cudaEvent_t c0, c1;
    cudaStreamCreate(&s0); cudaStreamCreate(&s1);
    cudaEventCreateWithFlags(&c0, cudaEventDisableTiming); cudaEventCreateWithFlags(&c1, cudaEventDisableTiming);
    cudaMemcpyAsync(a, h, half * sizeof(float), cudaMemcpyHostToDevice, s0);
    cudaEventRecord(c0, s0);
    cudaMemcpyAsync(a + half, h + half, half * sizeof(float), cudaMemcpyHostToDevice, s1);
    cudaEventRecord(c1, s1);
    cudaStreamWaitEvent(s0, c1, 0);
    cudaStreamWaitEvent(s1, c0, 0);
    blur<<<half / 256, 256, 0, s0>>>(a, b, n, 0, half);
    blur<<<half / 256, 256, 0, s1>>>(a, b, n, half, n);
    cudaMemcpyAsync(res, b, half * sizeof(float), cudaMemcpyDeviceToHost, s0);
    cudaMemcpyAsync(res + half, b + half, half * sizeof(float), cudaMemcpyDeviceToHost, s1);
    cudaStreamSynchronize(s0);
    cudaStreamSynchronize(s1);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += res[i];
    printf("%f\n", sum);
    cudaEventDestroy(c0); cudaEventDestroy(c1);
    cudaStreamDestroy(s0); cudaStreamDestroy(s1);
    cudaFree(a); cudaFree(b); cudaFreeHost(h); cudaFreeHost(res);
    return 0;
}
