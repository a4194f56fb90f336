#define TD 32
#define BR 8
__global__ void copySharedMem(float* odata, const float* idata, int n)
{
    __shared__ float tile[TD * TD];
    int x = blockIdx.x * TD + threadIdx.x, y = blockIdx.y * TD + threadIdx.y, w = gridDim.x * TD;
    for (int j = 0; j < TD; j += BR) if ((y + j) * w + x < n) tile[(threadIdx.y + j) * TD + threadIdx.x] = idata[(y + j) * w + x];
    __syncthreads();
    for (int j = 0; j < TD; j += BR) if ((y + j) * w + x < n) odata[(y + j) * w + x] = tile[(threadIdx.y + j) * TD + threadIdx.x];
}
