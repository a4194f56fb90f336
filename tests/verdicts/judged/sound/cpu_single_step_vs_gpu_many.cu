// CPU function is called once on the initial data, to print what one step does; the GPU does 50
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void diffuse(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = i > 0 && i < n - 1 ? a[i] + 0.3f * (a[i - 1] - 2 * a[i] + a[i + 1]) : a[i]; }
void steepest(const float* a, float* b, int n) { for (int i = 0; i < n; i++) b[i] = i > 0 && i < n - 1 ? fabsf(a[i + 1] - a[i - 1]) / 2 : 0; }
int main()
{
    int n = 300; std::vector<float> h(n), g(n);
    for (int i = 0; i < n; i++) h[i] = i > 100 && i < 200;
    float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    steepest(h.data(), g.data(), n);
    float s0 = 0; for (float v : g) s0 = fmaxf(s0, v);
    for (int t = 0; t < 50; t++) { diffuse<<<3, 128>>>(a, b, n); std::swap(a, b); }
    cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost);
    steepest(h.data(), g.data(), n);
    float s1 = 0; for (float v : g) s1 = fmaxf(s1, v);
    printf("steepest slope %f before, %f after\n", s0, s1);
    cudaFree(a); cudaFree(b);
}
