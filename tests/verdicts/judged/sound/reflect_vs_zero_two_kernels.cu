// same parameters, two boundary treatments chosen by the user; both are wanted
#include <cstdio>
#include <cstring>
#include <vector>
__constant__ float w5[5];
__global__ void conv_zero(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int k = -2; k <= 2; k++) if (i + k >= 0 && i + k < n) s += w5[k + 2] * x[i + k]; y[i] = s; }
__global__ void conv_reflect(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int k = -2; k <= 2; k++) { int j = i + k; j = j < 0 ? -j : j >= n ? 2 * n - 2 - j : j; s += w5[k + 2] * x[j]; } y[i] = s; }
int main(int argc, char** argv)
{
    bool reflect = argc > 1 && !strcmp(argv[1], "reflect");
    int n = 500; std::vector<float> h(n); for (int i = 0; i < n; i++) h[i] = i % 19; float w[5] = {.1f, .2f, .4f, .2f, .1f};
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpyToSymbol(w5, w, sizeof w);
    if (reflect) conv_reflect<<<4, 125>>>(a, b, n); else conv_zero<<<4, 125>>>(a, b, n);
    cudaMemcpy(h.data(), b, n * 4, cudaMemcpyDeviceToHost); printf("%f %f\n", h[0], h[n - 1]); cudaFree(a); cudaFree(b);
}
