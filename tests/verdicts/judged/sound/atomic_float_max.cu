__device__ float atomicMaxf(float* a, float v)
{
    int* p = (int*)a;
    int old = *p, assumed;
    do { assumed = old; if (__int_as_float(assumed) >= v) break; old = atomicCAS(p, assumed, __float_as_int(v)); } while (old != assumed);
    return __int_as_float(old);
}
__global__ void maxabs(const float* x, float* res, int n)
{
    __shared__ float s;
    if (threadIdx.x == 0) s = 0.f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicMaxf(&s, fabsf(x[i]));
    __syncthreads();
    if (threadIdx.x == 0) atomicMaxf(res, s);
}
