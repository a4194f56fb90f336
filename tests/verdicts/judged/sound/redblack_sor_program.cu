#include <cstdio>
#include <vector>
#include <cmath>
__global__ void sor(float* u, int n, int color, float omega)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1, j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1 && j < n - 1 && (i + j) % 2 == color)
        u[i * n + j] = (1 - omega) * u[i * n + j] + omega * 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}
// lexicographic: converges to the same solution, another path
void sor_seq(std::vector<float>& u, int n, float omega)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] = (1 - omega) * u[i * n + j] + omega * 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}
int main()
{
    int n = 40;
    std::vector<float> h(n * n, 0.f), s;
    for (int j = 0; j < n; j++) h[j] = 1.f;
    s = h;
    float* d;
    cudaMalloc(&d, n * n * sizeof(float));
    cudaMemcpy(d, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 b(16, 16), g(3, 3);
    for (int it = 0; it < 150; it++) {
        sor<<<g, b>>>(d, n, 0, 1.8f);
        sor<<<g, b>>>(d, n, 1, 1.8f);
        sor_seq(s, n, 1.8f);
    }
    cudaMemcpy(h.data(), d, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    float m = 0;
    for (int i = 0; i < n * n; i++) m = fmaxf(m, fabsf(h[i] - s[i]));
    printf("difference of the two solutions: %g\n", m);
    cudaFree(d);
    return m < 1e-3f ? 0 : 2;
}
