extern "C" __global__ void box3_pitch(const unsigned char* src, unsigned char* dst, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, cnt = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < width && yy >= 0 && yy < height) {
                sum += src[yy * pitch + xx];
                ++cnt;
            }
        }
    dst[y * pitch + x] = (unsigned char)(sum / cnt);
}
