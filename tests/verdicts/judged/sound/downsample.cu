// in: (2*ow) x (2*oh)
__global__ void half_size(const float* in, float* out, int ow, int oh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    int iw = 2 * ow;
    const float* p = in + 2 * y * iw + 2 * x;
    out[y * ow + x] = 0.25f * (p[0] + p[1] + p[iw] + p[iw + 1]);
}
__global__ void downsample_src(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int ow = w / 2, oh = h / 2;
    if (x < ow && y < oh)
        out[y * ow + x] = 0.25f * (in[2 * y * w + 2 * x] + in[2 * y * w + 2 * x + 1] + in[(2 * y + 1) * w + 2 * x] + in[(2 * y + 1) * w + 2 * x + 1]);
}
