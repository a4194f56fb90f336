__global__ void wave2d(const float* __restrict__ um, const float* __restrict__ u, float* __restrict__ up, const float* __restrict__ c2, int nx, int nz, float dtdx2)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int iz = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix < 2 || iz < 2 || ix >= nx - 2 || iz >= nz - 2) return;
    int i = iz * nx + ix;
    float lap = -5.0f * u[i] + (4.0f / 3.0f) * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx])
              - (1.0f / 12.0f) * (u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx]);
    up[i] = 2.0f * u[i] - um[i] + c2[i] * dtdx2 * lap;
}
