struct Roi { int x0, y0, w, h; };
__global__ void sharpen_roi(const float* img, float* out, int stride, Roi roi)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= roi.w || y >= roi.h) return;
    const float* c = img + (roi.y0 + y) * stride + roi.x0 + x;
    float l = x > 0 ? c[-1] : c[0], r = x < roi.w - 1 ? c[1] : c[0];
    float t = y > 0 ? c[-stride] : c[0], b = y < roi.h - 1 ? c[stride] : c[0];
    out[y * roi.w + x] = 5.f * c[0] - l - r - t - b;
}
