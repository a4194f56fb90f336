#include <cstdio>
#include <vector>
__global__ void st(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = (i ? a[i - 1] : a[n - 1]) * 0.5f + a[i] * 0.5f; }
int main()
{
    int n = 400; std::vector<float> h(n); for (int i = 0; i < n; i++) h[i] = i % 5; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t x;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); st<<<4, 128, 0, s>>>(a, b, n); st<<<4, 128, 0, s>>>(b, a, n); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
    for (int k = 0; k < 5; k++) cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost); printf("%f\n", h[3]); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaStreamDestroy(s); cudaFree(a); cudaFree(b);
}
