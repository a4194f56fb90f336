// values lie in [lo, hi)
__global__ void hist_float(const float* x, int n, int* bins, int nbins, float lo, float hi)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int b = (int)((x[i] - lo) / (hi - lo) * nbins);
        if (b >= 0 && b < nbins) atomicAdd(bins + b, 1);
    }
}
