// chunks over 3 streams with double buffering, each chunk with its halo; pinned memory
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void filt(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + 0.25f * in[i + 2]; }
int main()
{
    const int n = 12000, S = 3, chunk = 1000; float *h, *o; cudaMallocHost(&h, (n + 2) * 4); cudaMallocHost(&o, n * 4); for (int i = 0; i < n + 2; i++) h[i] = i % 91;
    cudaStream_t s[S]; float *din[S], *dout[S]; for (int k = 0; k < S; k++) { cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking); cudaMalloc(&din[k], (chunk + 2) * 4); cudaMalloc(&dout[k], chunk * 4); }
    for (int c = 0; c < n / chunk; c++) { int k = c % S; cudaMemcpyAsync(din[k], h + c * chunk, (chunk + 2) * 4, cudaMemcpyHostToDevice, s[k]); filt<<<(chunk + 127) / 128, 128, 0, s[k]>>>(din[k], dout[k], chunk); cudaMemcpyAsync(o + c * chunk, dout[k], chunk * 4, cudaMemcpyDeviceToHost, s[k]); }
    for (int k = 0; k < S; k++) cudaStreamSynchronize(s[k]);
    int bad = 0; for (int i = 0; i < n; i++) bad += fabsf(o[i] - (0.25f * h[i] + 0.5f * h[i + 1] + 0.25f * h[i + 2])) > 1e-4f;
    for (int k = 0; k < S; k++) { cudaFree(din[k]); cudaFree(dout[k]); cudaStreamDestroy(s[k]); } cudaFreeHost(h); cudaFreeHost(o); printf("%d bad\n", bad); return bad;
}
