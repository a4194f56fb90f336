// expects: exited 0
// expects: launches 1
// expects: prints pitch 512
// expects: prints max error 0
#include <cstdio>
#include <cmath>
#include <vector>

__global__ void boxBlur(const char* src, size_t srcPitch, char* dst, size_t dstPitch, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0.f;
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        if (y + dy < 0 || y + dy >= h) continue;
        const float* row = (const float*)(src + (y + dy) * srcPitch);
        for (int dx = -1; dx <= 1; dx++) {
            if (x + dx < 0 || x + dx >= w) continue;
            sum += row[x + dx];
            count++;
        }
    }
    float* outRow = (float*)(dst + y * dstPitch);
    outRow[x] = sum / count;
}

int main() {
    const int w = 101, h = 37;
    std::vector<float> image(w * h), result(w * h);
    for (int i = 0; i < w * h; i++) image[i] = float((i * 31) % 256);
    char *d_src, *d_dst;
    size_t srcPitch, dstPitch;
    cudaMallocPitch(&d_src, &srcPitch, w * sizeof(float), h);
    cudaMallocPitch(&d_dst, &dstPitch, w * sizeof(float), h);
    printf("pitch %zu\n", srcPitch);
    cudaMemcpy2D(d_src, srcPitch, image.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
    dim3 threads(32, 4), blocks((w + 31) / 32, (h + 3) / 4);
    boxBlur<<<blocks, threads>>>(d_src, srcPitch, d_dst, dstPitch, w, h);
    cudaMemcpy2D(result.data(), w * sizeof(float), d_dst, dstPitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
    float worst = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            int count = 0;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    if (u >= 0 && u < w && v >= 0 && v < h) sum += image[v * w + u], count++;
            worst = fmaxf(worst, fabsf(sum / count - result[y * w + x]));
        }
    printf("max error %g\n", worst);
    cudaFree(d_src);
    cudaFree(d_dst);
    return worst > 1e-3f;
}
