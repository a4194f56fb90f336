// pitch in bytes, as given by cudaMallocPitch
__global__ void laplace_pitched(const float* in, float* out, size_t pitchBytes, int w, int h)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    const float* rm = (const float*)((const char*)in + (y - 1) * pitchBytes);
    const float* r0 = (const float*)((const char*)in + y * pitchBytes);
    const float* rp = (const float*)((const char*)in + (y + 1) * pitchBytes);
    float* o = (float*)((char*)out + y * pitchBytes);
    o[x] = rm[x] + rp[x] + r0[x - 1] + r0[x + 1] - 4.f * r0[x];
}
