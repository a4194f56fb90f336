// blockDim.x is a power of two
__global__ void reduce(const float* g_in, float* g_out, unsigned n)
{
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float s = i < n ? g_in[i] : 0;
    if (i + blockDim.x < n) s += g_in[i + blockDim.x];
    sdata[tid] = s;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (tid < k) sdata[tid] += sdata[tid + k];
        __syncthreads();
    }
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}
