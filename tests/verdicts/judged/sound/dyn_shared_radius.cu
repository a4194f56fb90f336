extern __shared__ float sdata[];
// dynamic shared memory: (blockDim.x + 2 * r) floats
__global__ void boxfilter(const float* in, float* out, int n, int r)
{
    int base = blockIdx.x * blockDim.x - r;
    for (int k = threadIdx.x; k < blockDim.x + 2 * r; k += blockDim.x) {
        int g = base + k;
        sdata[k] = (g >= 0 && g < n) ? in[g] : 0.f;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.f;
    for (int k = 0; k <= 2 * r; ++k) s += sdata[threadIdx.x + k];
    out[i] = s / (2 * r + 1);
}
