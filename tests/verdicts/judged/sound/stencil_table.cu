// general stencil: offsets given in a table, np points; interior is [r, n - r) in each direction
#define MAXP 32
__constant__ int3 offs[MAXP];
__constant__ float wts[MAXP];
__global__ void apply_table(const float* u, float* v, int np, int r, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + r;
    int y = blockIdx.y * blockDim.y + threadIdx.y + r;
    int z = blockIdx.z * blockDim.z + threadIdx.z + r;
    if (x >= nx - r || y >= ny - r || z >= nz - r) return;
    float s = 0.f;
    for (int p = 0; p < np; ++p)
        s += wts[p] * u[((z + offs[p].z) * ny + y + offs[p].y) * nx + x + offs[p].x];
    v[(z * ny + y) * nx + x] = s;
}
