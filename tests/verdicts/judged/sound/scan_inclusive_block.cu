#define SECTION 1024
// Kogge-Stone (PMPP chapter 11); one section of blockDim.x elements per block
__global__ void kogge_stone(float* X, float* Y, unsigned N)
{
    __shared__ float XY[SECTION];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) XY[threadIdx.x] = X[i]; else XY[threadIdx.x] = 0.0f;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float temp = 0;
        if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
        __syncthreads();
        if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
    }
    if (i < N) Y[i] = XY[threadIdx.x];
}
