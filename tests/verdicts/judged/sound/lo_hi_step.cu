// lo < hi <= length of a, step > 0
__global__ void decimate(const float* a, float* b, int lo, int hi, int step)
{
    int count = (hi - lo + step - 1) / step;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count) b[t] = a[lo + t * step];
}
