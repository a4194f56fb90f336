// dy has a wrong sign: (0, -1) twice
#include <cstdio>
#include <vector>
__global__ void diff(const float* t, float* o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return;
    const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, -1, -1};
    float s = 0; for (int k = 0; k < 4; k++) { int xx = x + dx[k], yy = y + dy[k]; if (xx < 0 || xx >= w || yy < 0 || yy >= h) continue; s += t[yy * w + xx]; }
    o[y * w + x] = s;
}
void diff_cpu(const float* t, float* o, int w, int h) { const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1}; for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) { float s = 0; for (int k = 0; k < 4; k++) { int xx = x + dx[k], yy = y + dy[k]; if (xx < 0 || xx >= w || yy < 0 || yy >= h) continue; s += t[yy * w + xx]; } o[y * w + x] = s; } }
int main()
{
    int w = 72, h = 36; std::vector<float> f(w * h), g(w * h), c(w * h); for (int i = 0; i < w * h; i++) f[i] = i % 37;
    float *a, *b; cudaMalloc(&a, w * h * 4); cudaMalloc(&b, w * h * 4); cudaMemcpy(a, f.data(), w * h * 4, cudaMemcpyHostToDevice);
    diff<<<dim3(5, 5), dim3(16, 8)>>>(a, b, w, h); cudaMemcpy(g.data(), b, w * h * 4, cudaMemcpyDeviceToHost); diff_cpu(f.data(), c.data(), w, h);
    int bad = 0; for (int i = 0; i < w * h; i++) bad += g[i] != c[i]; puts(bad ? "FAILED" : "PASSED"); cudaFree(a); cudaFree(b); return bad != 0;
}
