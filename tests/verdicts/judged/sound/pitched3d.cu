__global__ void add3d(cudaPitchedPtr src, cudaPitchedPtr dst, int w, int h, int d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    for (int z = 0; z < d; z++) {
        const float* r = (const float*)((const char*)src.ptr + z * src.pitch * h + y * src.pitch);
        float* o = (float*)((char*)dst.ptr + z * dst.pitch * h + y * dst.pitch);
        o[x] = 2.f * r[x];
    }
}
