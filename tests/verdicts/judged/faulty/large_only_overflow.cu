// index overflows an int at the program's own size
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void inv(const unsigned char* in, unsigned char* out, int w, int h, int d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= w || y >= h) return;
    int i = (z * h + y) * w + x;
    out[i] = 255 - in[i];
}
int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1300;
    size_t b = (size_t)n * n * n; unsigned char *a, *o; std::vector<unsigned char> h(n);
    cudaMalloc(&a, b); cudaMalloc(&o, b); cudaMemset(a, 7, b);
    inv<<<dim3((n + 31) / 32, (n + 7) / 8, n), dim3(32, 8)>>>(a, o, n, n, n);
    cudaMemcpy(h.data(), o + b - n, n, cudaMemcpyDeviceToHost);
    int bad = 0; for (int i = 0; i < n; i++) bad += h[i] != 248;
    puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(o); return bad != 0;
}
