#include <cstdio>
#include <vector>
__global__ void interior(const double* u, double* v, int n) { int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1; if (i < n - 1 && j < n - 1) v[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]); }
__global__ void edges(double* v, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n) return; v[t] = 1.0; v[(n - 1) * n + t] = 0.0; if (t > 0 && t < n - 1) { v[t * n] = v[t * n + 1]; v[t * n + n - 1] = v[t * n + n - 2]; } }
int main()
{
    int n = 60; std::vector<double> h(n * n, 0.5); double *a, *b; cudaMalloc(&a, n * n * 8); cudaMalloc(&b, n * n * 8); cudaMemcpy(a, h.data(), n * n * 8, cudaMemcpyHostToDevice); edges<<<1, 64>>>(a, n);
    for (int s = 0; s < 10; s++) { interior<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n); edges<<<1, 64>>>(b, n); std::swap(a, b); }
    cudaMemcpy(h.data(), a, n * n * 8, cudaMemcpyDeviceToHost); printf("%f\n", h[n + 7]); cudaFree(a); cudaFree(b);
}
