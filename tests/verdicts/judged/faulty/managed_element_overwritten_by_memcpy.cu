// memcpy() begins one element too early, in what a kernel writes meanwhile.
#include <cstdio>
#include <cstring>
#include <vector>
#include <thread>
#include <cuda_runtime.h>
__global__ void heat(const float *u, float *v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float l = i ? u[i - 1] : u[0], r = i < n - 1 ? u[i + 1] : u[n - 1]; v[i] = u[i] + 0.25f * (l - 2 * u[i] + r); }
static void heat_cpu(const float *u, float *v, int n) { for (int i = 0; i < n; i++) { float l = i ? u[i - 1] : u[0], r = i < n - 1 ? u[i + 1] : u[n - 1]; v[i] = u[i] + 0.25f * (l - 2 * u[i] + r); } }
int main() {
    const int n = 1000; float *buf; cudaMallocManaged(&buf, 4 * n * sizeof(float));    // two problems, in and out each
    std::vector<float> src(n); for (int i = 0; i < n; i++) src[i] = (i * 13 % 29) * 0.5f;
    memcpy(buf, src.data(), n * sizeof(float)); memset(buf + n, 0, n * sizeof(float));
    cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    heat<<<8, 128, 0, s>>>(buf, buf + n, n);
    memcpy(buf + 2 * n - 1, src.data(), n * sizeof(float));
    std::thread t([&] { heat_cpu(buf + 2 * n, buf + 3 * n, n); });
    t.join();
    cudaStreamSynchronize(s);
    int diff = memcmp(buf + n, buf + 3 * n, n * sizeof(float)) != 0;
    printf("%s\n", diff ? "CPU and GPU differ" : "CPU and GPU agree");
    cudaStreamDestroy(s); cudaFree(buf);
    return diff;
}
