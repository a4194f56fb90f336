// float dot product compared with a tolerance that float needs
#include <cstdio>
#include <vector>
#include <random>
#include <cmath>
__global__ void dot(const float* a, const float* b, float* r, int n)
{
    float v = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += a[i] * b[i];
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(r, v);
}
float dot_cpu(const float* a, const float* b, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
int main()
{
    int n = 20000; std::mt19937 g(std::random_device{}()); std::uniform_real_distribution<float> u(-1, 1);
    std::vector<float> a(n), b(n); for (int i = 0; i < n; i++) { a[i] = u(g); b[i] = u(g); }
    float *da, *db, *dr, r; cudaMalloc(&da, n * 4); cudaMalloc(&db, n * 4); cudaMalloc(&dr, 4); cudaMemset(dr, 0, 4);
    cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
    dot<<<10, 128>>>(da, db, dr, n);
    cudaMemcpy(&r, dr, 4, cudaMemcpyDeviceToHost);
    float c = dot_cpu(a.data(), b.data(), n);
    printf("%f %f\n", r, c); cudaFree(da); cudaFree(db); cudaFree(dr);
    return fabsf(r - c) > 1e-2f;
}
