// gray: 0..255
__global__ void apply_lut(const int* gray, int* out, const int* lut, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = lut[gray[i]];
}
