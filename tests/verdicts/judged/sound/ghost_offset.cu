// Field has one ghost row above and below; caller passes pointer to the first interior row.
// u points at row 0 of the interior: rows -1 and ny exist.
__global__ void jacobi_ghost(const float* __restrict__ u_alloc, float* __restrict__ v_alloc, int nx, int ny)
{
    // both arrays have (ny + 2) * nx elements
    const float* u = u_alloc + nx;
    float* v = v_alloc + nx;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y >= ny) return;
    v[y * nx + x] = 0.25f * (u[(y - 1) * nx + x] + u[(y + 1) * nx + x] + u[y * nx + x - 1] + u[y * nx + x + 1]);
}
