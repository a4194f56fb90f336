__device__ int mirror(int i, int n) { if (i < 0) return -i - 1; if (i >= n) return 2 * n - i - 1; return i; }
__global__ void blur_mirror(const float* img, float* res, const float* filter, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float acc = 0.f;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            acc += filter[(j + 2) * 5 + i + 2] * img[mirror(y + j, height) * width + mirror(x + i, width)];
    res[y * width + x] = acc;
}
