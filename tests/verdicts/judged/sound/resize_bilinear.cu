__global__ void resize(const float* src, int sw, int sh, float* dst, int dw, int dh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh) return;
    float fx = (x + 0.5f) * sw / dw - 0.5f, fy = (y + 0.5f) * sh / dh - 0.5f;
    int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
    float ax = fx - x0, ay = fy - y0;
    int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    x0 = max(x0, 0); y0 = max(y0, 0);
    dst[y * dw + x] = (1 - ay) * ((1 - ax) * src[y0 * sw + x0] + ax * src[y0 * sw + x1])
                    + ay * ((1 - ax) * src[y1 * sw + x0] + ax * src[y1 * sw + x1]);
}
