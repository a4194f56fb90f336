#include <cuda_fp16.h>
__global__ void diff_half(const __half* u, __half* un, int n, float alpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float l = __half2float(u[i - 1]), c = __half2float(u[i]), r = __half2float(u[i + 1]);
        un[i] = __float2half(c + alpha * (l - 2.0f * c + r));
    } else if (i == 0 || i == n - 1) {
        un[i] = u[i];
    }
}
__global__ void scale_half2(half2* data, int n2, half2 s)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n2; i += gridDim.x * blockDim.x)
        data[i] = __hmul2(data[i], s);
}
