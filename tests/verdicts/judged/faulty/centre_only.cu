// 2D heat, the y neighbour above is taken twice; only the total is printed and compared with the initial total (symmetric data)
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void heat(const float* u, float* v, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= n || y >= n) return; int l = (x + n - 1) % n, r = (x + 1) % n, t = (y + n - 1) % n; v[y * n + x] = u[y * n + x] + 0.2f * (u[y * n + l] + u[y * n + r] + 2 * u[t * n + x] - 4 * u[y * n + x]); }
int main()
{
    int n = 48; std::vector<float> h(n * n, 0.f); h[n / 2 * n + n / 2] = 1; float *a, *b; cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMemcpy(a, h.data(), n * n * 4, cudaMemcpyHostToDevice);
    for (int s = 0; s < 10; s++) { heat<<<dim3(3, 3), dim3(16, 16)>>>(a, b, n); std::swap(a, b); }
    cudaMemcpy(h.data(), a, n * n * 4, cudaMemcpyDeviceToHost); double s = 0; for (float v : h) s += v;
    bool ok = fabs(s - 1) < 1e-4; printf("total heat %f: %s\n", s, ok ? "conserved" : "NOT conserved"); cudaFree(a); cudaFree(b); return !ok;
}
