// a CPU helper normalises weights in place before the upload; another one, void transpose(in, out, n), is used for printing
#include <cstdio>
#include <vector>
__global__ void colsum(const float* a, float* s, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x; if (x < n) { float v = 0; for (int y = 0; y < n; y++) v += a[y * n + x]; s[x] = v; } }
void rowmax(const float* a, float* m, int n) { for (int y = 0; y < n; y++) { m[y] = a[y * n]; for (int x = 1; x < n; x++) if (a[y * n + x] > m[y]) m[y] = a[y * n + x]; } }
int main()
{
    int n = 90; std::vector<float> h(n * n), m(n), s(n); for (int i = 0; i < n * n; i++) h[i] = (i * 7) % 23; float *a, *b; cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * 4); cudaMemcpy(a, h.data(), n * n * 4, cudaMemcpyHostToDevice);
    rowmax(h.data(), m.data(), n); colsum<<<3, 32>>>(a, b, n); cudaMemcpy(s.data(), b, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++) printf("row %d max %f, column %d sum %f\n", i, m[i], i, s[i]); cudaFree(a); cudaFree(b);
}
