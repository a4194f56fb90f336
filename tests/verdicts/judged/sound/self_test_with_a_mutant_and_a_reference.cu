// The same with a function of the host.
#include <cstdio>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>
__constant__ float K[9];
__global__ void conv(const float *a, float *b, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float s = 0; for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) s += K[j * 3 + i] * a[(y + j - 1) * w + x + i - 1];
    b[y * w + x] = s;
}
__global__ void conv_mutant(const float *a, float *b, int w, int h) {   // filter transposed, on purpose
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float s = 0; for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) s += K[i * 3 + j] * a[(y + j - 1) * w + x + i - 1];
    b[y * w + x] = s;
}
void conv_host(const float *a, float *b, const float *k, int w, int h) {
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) { float s = 0; for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) s += k[j * 3 + i] * a[(y + j - 1) * w + x + i - 1]; b[y * w + x] = s; }
}
static int differ(const std::vector<float> &p, const std::vector<float> &q) { int d = 0; for (size_t i = 0; i < p.size(); i++) d += fabsf(p[i] - q[i]) > 1e-4f; return d; }
int main() {
    const int w = 90, h = 40; std::vector<float> a(w * h), ref(w * h, 0.f), out(w * h); float k[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; for (float &v : k) v /= 45;
    for (int i = 0; i < w * h; i++) a[i] = (i * 31 % 97) / 97.f;
    conv_host(a.data(), ref.data(), k, w, h);
    float *da, *db; cudaMalloc(&da, w * h * 4); cudaMalloc(&db, w * h * 4); cudaMemcpyToSymbol(K, k, sizeof k); cudaMemcpy(da, a.data(), w * h * 4, cudaMemcpyHostToDevice);
    dim3 t(32, 8), g((w + 31) / 32, (h + 7) / 8); int fails = 0;
    cudaMemset(db, 0, w * h * 4); conv<<<g, t>>>(da, db, w, h); cudaMemcpy(out.data(), db, w * h * 4, cudaMemcpyDeviceToHost);
    if (differ(ref, out)) { puts("conv: FAIL"); fails++; } else puts("conv: pass");
    cudaMemset(db, 0, w * h * 4); conv_mutant<<<g, t>>>(da, db, w, h); cudaMemcpy(out.data(), db, w * h * 4, cudaMemcpyDeviceToHost);
    if (!differ(ref, out)) { puts("mutant: not noticed"); fails++; } else puts("mutant: FAIL, as it should");
    cudaFree(da); cudaFree(db);
    return fails;
}
