__global__ void valid(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < w - 1 && y < h - 1) {
        float s = 0;
        for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s = fmaxf(s, in[(y + j) * w + x + i]);
        out[(y - 1) * (w - 2) + x - 1] = s;
    }
}
