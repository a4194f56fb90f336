// width4 = width / 4
__global__ void vertical_smooth4(const float4* in, float4* out, int width4, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < width4 && j < height) {
        float4 a = in[max(j - 1, 0) * width4 + i];
        float4 b = in[j * width4 + i];
        float4 c = in[min(j + 1, height - 1) * width4 + i];
        out[j * width4 + i] = make_float4(0.25f * a.x + 0.5f * b.x + 0.25f * c.x,
                                          0.25f * a.y + 0.5f * b.y + 0.25f * c.y,
                                          0.25f * a.z + 0.5f * b.z + 0.25f * c.z,
                                          0.25f * a.w + 0.5f * b.w + 0.25f * c.w);
    }
}
