// one slab of a domain: planes z0 .. z1 - 1 of nz; arrays hold planes z0 - 1 .. z1
__global__ void slab(const double* u, double* v, int nx, int ny, int nz, int z0, int z1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = z0 + blockIdx.z * blockDim.z + threadIdx.z;
    if (z >= z1 || z < 1 || z >= nz - 1 || x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    size_t p = (size_t)nx * ny, i = (size_t)(z - z0 + 1) * p + (size_t)y * nx + x;
    v[i] = (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - p] + u[i + p]) / 6.0;
}
