struct Grid {
    int nx, ny, nz;
    float dx;
};
struct Fields {
    float *__restrict__ p;
    float *__restrict__ div;
    float *__restrict__ pn;
};
__device__ inline int idx(const Grid& g, int i, int j, int k) { return (k * g.ny + j) * g.nx + i; }
__global__ void pressure_jacobi(Grid g, Fields f)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.z + blockIdx.z * blockDim.z;
    if (i < 1 || j < 1 || k < 1 || i > g.nx - 2 || j > g.ny - 2 || k > g.nz - 2) return;
    float s = f.p[idx(g, i - 1, j, k)] + f.p[idx(g, i + 1, j, k)] + f.p[idx(g, i, j - 1, k)] +
              f.p[idx(g, i, j + 1, k)] + f.p[idx(g, i, j, k - 1)] + f.p[idx(g, i, j, k + 1)];
    f.pn[idx(g, i, j, k)] = (s - g.dx * g.dx * f.div[idx(g, i, j, k)]) / 6.0f;
}
