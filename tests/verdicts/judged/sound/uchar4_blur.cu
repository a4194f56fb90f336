__device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }
__global__ void blur_rgba(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float3 acc = make_float3(0.f, 0.f, 0.f);
    int n = 0;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            uchar4 p = in[clampi(y + j, 0, height - 1) * width + clampi(x + i, 0, width - 1)];
            acc.x += p.x; acc.y += p.y; acc.z += p.z;
            n++;
        }
    uchar4 o;
    o.x = (unsigned char)(acc.x / n);
    o.y = (unsigned char)(acc.y / n);
    o.z = (unsigned char)(acc.z / n);
    o.w = in[y * width + x].w;
    out[y * width + x] = o;
}
