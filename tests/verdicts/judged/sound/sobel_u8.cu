typedef unsigned char uchar;
__global__ void sobel(const uchar* __restrict__ gray, uchar* __restrict__ edge, const unsigned W, const unsigned H)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= W - 1 || y >= H - 1) return;
    int gx = -gray[(y - 1) * W + x - 1] + gray[(y - 1) * W + x + 1] - 2 * gray[y * W + x - 1] + 2 * gray[y * W + x + 1] - gray[(y + 1) * W + x - 1] + gray[(y + 1) * W + x + 1];
    int gy = -gray[(y - 1) * W + x - 1] - 2 * gray[(y - 1) * W + x] - gray[(y - 1) * W + x + 1] + gray[(y + 1) * W + x - 1] + 2 * gray[(y + 1) * W + x] + gray[(y + 1) * W + x + 1];
    int m = (int)sqrtf((float)(gx * gx + gy * gy));
    edge[y * W + x] = m > 255 ? 255 : m;
}
