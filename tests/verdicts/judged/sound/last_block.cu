__device__ unsigned int ticket = 0;
__global__ void sum_last_block(const float* in, float* partial, float* total, int n)
{
    __shared__ float s[256];
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int o = 128; o > 0; o >>= 1) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float t = 0;
        for (int b = 0; b < gridDim.x; ++b) t += ((volatile float*)partial)[b];
        *total = t;
    }
}
