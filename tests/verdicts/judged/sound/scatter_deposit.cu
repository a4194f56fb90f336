// particles deposit on a periodic grid (CIC); positions in [0, ng)
__global__ void cic(const float* xp, float* rho, int np, int ng, float q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= np) return;
    int c = (int)floorf(xp[i]);
    float f = xp[i] - c;
    c = ((c % ng) + ng) % ng;
    atomicAdd(&rho[c], q * (1.f - f));
    atomicAdd(&rho[(c + 1) % ng], q * f);
}
