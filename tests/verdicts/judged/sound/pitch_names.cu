// step: bytes per row, OpenCV style
__global__ void bgr2gray(const uchar3* src, size_t srcStep, float* dst, size_t dstStep, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) {
        const uchar3 p = ((const uchar3*)((const char*)src + y * srcStep))[x];
        float* row = (float*)((char*)dst + y * dstStep);
        row[x] = 0.114f * p.x + 0.587f * p.y + 0.299f * p.z;
    }
}
