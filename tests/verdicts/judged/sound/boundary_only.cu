// runs over the 2 * (nx + ny) boundary cells
__global__ void neumann(float* u, int nx, int ny)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < nx - 2) {
        u[t + 1] = u[nx + t + 1];
        u[(ny - 1) * nx + t + 1] = u[(ny - 2) * nx + t + 1];
    }
    if (t < ny - 2) {
        u[(t + 1) * nx] = u[(t + 1) * nx + 1];
        u[(t + 1) * nx + nx - 1] = u[(t + 1) * nx + nx - 2];
    }
}
