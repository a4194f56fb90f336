#include <cstdio>
#include <cstdlib>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); }
}
__global__ void grad(const float* img, size_t pitch, float* out, size_t opitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        const float* row = (const float*)((const char*)img + y * pitch);
        const float* nxt = (const float*)((const char*)img + min(y + 1, h - 1) * pitch);
        float gx = row[min(x + 1, w - 1)] - row[x], gy = nxt[x] - row[x];
        *((float*)((char*)out + y * opitch) + x) = sqrtf(gx * gx + gy * gy);
    }
}
int main()
{
    int w = 203, h = 57;
    float* h_img = (float*)malloc(w * h * sizeof(float));
    for (int i = 0; i < w * h; i++) h_img[i] = (float)rand() / RAND_MAX;
    float *d_img, *d_out; size_t p1, p2;
    gpuErrchk(cudaMallocPitch(&d_img, &p1, w * sizeof(float), h));
    gpuErrchk(cudaMallocPitch(&d_out, &p2, w * sizeof(float), h));
    gpuErrchk(cudaMemcpy2D(d_img, p1, h_img, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    dim3 b(16, 16), g(w / 16 + 1, h / 16 + 1);
    grad<<<g, b>>>(d_img, p1, d_out, p2, w, h);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy2D(h_img, w * sizeof(float), d_out, p2, w * sizeof(float), h, cudaMemcpyDeviceToHost));
    float s = 0;
    for (int i = 0; i < w * h; i++) s += h_img[i];
    printf("mean gradient %f\n", s / (w * h));
    gpuErrchk(cudaFree(d_img)); gpuErrchk(cudaFree(d_out));
    free(h_img);
}
