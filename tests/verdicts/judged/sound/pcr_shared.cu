// parallel cyclic reduction, one system of blockDim.x unknowns per block
__global__ void pcr(const float* a, const float* b, const float* c, const float* d, float* x, int iterations)
{
    extern __shared__ char raw[];
    float* sa = (float*)raw;
    float* sb = sa + blockDim.x;
    float* sc = sb + blockDim.x;
    float* sd = sc + blockDim.x;
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    sa[t] = t > 0 ? a[g] : 0.f; sb[t] = b[g]; sc[t] = t + 1 < blockDim.x ? c[g] : 0.f; sd[t] = d[g];
    __syncthreads();
    int delta = 1;
    for (int it = 0; it < iterations; ++it) {
        int l = max(t - delta, 0), r = min(t + delta, (int)blockDim.x - 1);
        float k1 = t - delta >= 0 ? sa[t] / sb[l] : 0.f, k2 = t + delta < (int)blockDim.x ? sc[t] / sb[r] : 0.f;
        float na = -sa[l] * k1, nb = sb[t] - sc[l] * k1 - sa[r] * k2, nc = -sc[r] * k2, nd = sd[t] - sd[l] * k1 - sd[r] * k2;
        __syncthreads();
        sa[t] = na; sb[t] = nb; sc[t] = nc; sd[t] = nd;
        delta *= 2;
        __syncthreads();
    }
    x[g] = sd[t] / sb[t];
}
