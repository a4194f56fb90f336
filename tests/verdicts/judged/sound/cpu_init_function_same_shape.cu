// a CPU function with (in, out, n) that prepares another thing: a normalised copy, used for display only
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void smooth(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int l = i ? i - 1 : 0, r = i < n - 1 ? i + 1 : n - 1; out[i] = (in[l] + in[i] + in[r]) / 3.f; }
void normalise(const float* in, float* out, int n) { float m = 0; for (int i = 0; i < n; i++) m = fmaxf(m, in[i]); for (int i = 0; i < n; i++) out[i] = in[i] / m; }
int main()
{
    int n = 640; float *in = (float*)malloc(n * 4), *shown = (float*)malloc(n * 4), *res = (float*)malloc(n * 4), *a, *b;
    for (int i = 0; i < n; i++) in[i] = rand() % 50;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, in, n * 4, cudaMemcpyHostToDevice);
    normalise(in, shown, n);
    smooth<<<n / 64, 64>>>(a, b, n);
    cudaMemcpy(res, b, n * 4, cudaMemcpyDeviceToHost);
    printf("input max-normalised:"); for (int i = 0; i < 5; i++) printf(" %.3f", shown[i]);
    printf("\nsmoothed:"); for (int i = 0; i < 5; i++) printf(" %.3f", res[i]); puts("");
    cudaFree(a); cudaFree(b); free(in); free(shown); free(res);
    return 0;
}
