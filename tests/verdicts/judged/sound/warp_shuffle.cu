#define FULL 0xffffffffu
__global__ void norm2_diff(const float* a, const float* b, float* result, int n)
{
    __shared__ float warp[32];
    float s = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float d = a[i] - b[i];
        s += d * d;
    }
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
    int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
    if (lane == 0) warp[wid] = s;
    __syncthreads();
    if (wid == 0) {
        s = lane < (blockDim.x + 31) / 32 ? warp[lane] : 0.f;
        for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
        if (lane == 0) atomicAdd(result, s);
    }
}
