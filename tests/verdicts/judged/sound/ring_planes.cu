#define TX 16
#define TY 16
__global__ void lap3d_ring(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz)
{
    __shared__ float pl[3][TY + 2][TX + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
    int nt = TX * TY, t = ty * TX + tx;
    auto load = [&](int slot, int z) {
        for (int q = t; q < (TX + 2) * (TY + 2); q += nt) {
            int lx = q % (TX + 2), ly = q / (TX + 2);
            int gx = blockIdx.x * TX + lx - 1, gy = blockIdx.y * TY + ly - 1;
            gx = min(max(gx, 0), nx - 1);
            gy = min(max(gy, 0), ny - 1);
            pl[slot][ly][lx] = u[((size_t)z * ny + gy) * nx + gx];
        }
    };
    load(0, 0);
    load(1, min(1, nz - 1));
    for (int z = 1; z < nz - 1; ++z) {
        load((z + 1) % 3, z + 1);
        __syncthreads();
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
            int a = (z - 1) % 3, b = z % 3, c = (z + 1) % 3;
            v[((size_t)z * ny + y) * nx + x] = pl[a][ty + 1][tx + 1] + pl[c][ty + 1][tx + 1] + pl[b][ty][tx + 1] + pl[b][ty + 2][tx + 1]
                + pl[b][ty + 1][tx] + pl[b][ty + 1][tx + 2] - 6.0f * pl[b][ty + 1][tx + 1];
        }
        __syncthreads();
    }
}
